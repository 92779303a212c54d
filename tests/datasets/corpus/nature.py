"""Tables about nature and technology: flowers, penguins, wines, cars, sensors, and exports of programs."""

from tests.datasets.corpus.messy import MessyTable, csv_text, drawn, messy, numbers, rng_of, with_gaps


@messy
def iris_without_names() -> MessyTable:
    rng, n = rng_of("iris"), 150
    columns = [*(numbers(rng, n, 1, 1, 5) for _ in range(4)), drawn(rng, n, ["Iris-setosa", "Iris-versicolor"])]
    first, *rest = zip(*columns, strict=True)
    text = csv_text(first, list(zip(*rest, strict=True))) + "\n\n"
    used = tuple(f"column {k}" for k in range(1, 5))
    return MessyTable("iris.data", text.encode(), "column 5", used, n, 2)


@messy
def iris_from_r() -> MessyTable:
    rng, n = rng_of("r"), 90
    lines = ['"Sepal.Length","Sepal.Width","Species"']
    a, b, c = numbers(rng, n, 1, 1, 5), numbers(rng, n, 1, 1, 3), drawn(rng, n, ["setosa", "virginica"])
    lines += [f'"{k + 1}",{a[k]},{b[k]},"{c[k]}"' for k in range(n)]
    text = "\n".join(lines) + "\n"
    return MessyTable("iris.csv", text.encode(), "Species", ("Sepal.Length", "Sepal.Width"), n, 2)


@messy
def penguins() -> MessyTable:
    rng, n = rng_of("penguins"), 344
    columns = [
        *(drawn(rng, n, ["Adelie", "Gentoo", "Chinstrap"]), drawn(rng, n, ["Torgersen", "Biscoe", "Dream"])),
        *(
            with_gaps(rng, numbers(rng, n, 1, 3, 44), 0.006, "NA"),
            with_gaps(rng, numbers(rng, n, 0, 9, 200), 0.006, "NA"),
        ),
        *(with_gaps(rng, drawn(rng, n, ["male", "female"]), 0.03, "NA"), drawn(rng, n, ["2007", "2008", "2009"])),
    ]
    header = ["species", "island", "bill_length_mm", "flipper_length_mm", "sex", "year"]
    n_gone = sum("NA" in pair for pair in zip(columns[2], columns[3], strict=True))
    return MessyTable("penguins.csv", csv_text(header, columns).encode(), "species", tuple(header[1:]), n - n_gone, 3)


@messy
def red_wine() -> MessyTable:
    rng, n = rng_of("wine"), 700
    columns = [*(numbers(rng, n, 3, 1, 8) for _ in range(4)), drawn(rng, n, "345678", [1, 5, 40, 40, 12, 2])]
    header = ["fixed acidity", "volatile acidity", "pH", "alcohol", "quality"]
    return MessyTable(
        "winequality-red.csv", csv_text(header, columns, ";").encode(), "quality", tuple(header[:-1]), n, 6
    )


@messy
def german_measurements() -> MessyTable:
    rng, n = rng_of("german"), 200
    cells = [[cell.replace(".", ",") for cell in numbers(rng, n, 2, 3, 20)] for _ in range(3)]
    cells[2] = [f"{cell} €" for cell in cells[2]]
    text = csv_text(["Größe", "Gewicht", "Preis", "Sorte"], [*cells, drawn(rng, n, ["süß", "herb", "sauer"])], ";")
    data = b"sep=;\r\n" + text.replace("\n", "\r\n").encode("cp1252")
    return MessyTable("äpfel.csv", data, "Sorte", ("Größe", "Gewicht", "Preis"), n, 3)


@messy
def cars_with_units() -> MessyTable:
    rng, n = rng_of("cars"), 300
    columns = [
        [f"Brand {k % 60} Model {k}" for k in range(n)],
        *(
            [f"{1000 + 3 * (k % 250)} CC" for k in range(n)],
            with_gaps(rng, [f"{60 + k % 90} bhp" for k in range(n)], 0.04),
        ),
        *([f"{15 + k % 12}.{k % 10} kmpl" for k in range(n)], drawn(rng, n, ["Petrol", "Diesel"])),
        *(drawn(rng, n, ["First", "Second", "Third"]), drawn(rng, n, ["small", "family", "luxury"])),
    ]
    header = ["Name", "Engine", "Power", "Mileage", "Fuel_Type", "Owner_Type", "Class"]
    return MessyTable("used.csv", csv_text(header, columns).encode(), "Class", tuple(header[1:-1]), n, 3)


@messy
def populations() -> MessyTable:
    rng, n = rng_of("populations"), 120
    columns = [
        [f"Country {chr(65 + k % 26)}{k}" for k in range(n)],
        *([f"{1_234_567 + 8_910 * k:,}" for k in range(n)], [f"{40 + k % 40}%" for k in range(n)]),
        *([f"${5 + k % 90},{k % 10}00" for k in range(n)], drawn(rng, n, ["Europe", "Asia", "Africa"])),
    ]
    header = ["Country", "Population", "Urban", "GDP per head", "Class"]
    text = csv_text(header, columns) + "\nSource: made up for this test\nNote: n/a where not reported\n"
    used = ("Population", "Urban", "GDP per head")
    return MessyTable("world.csv", text.encode(), "Class", used, n, 3, notes=("2 lines below the table were skipped",))


@messy
def too_many_cells() -> MessyTable:
    rng, n = rng_of("cells"), 100
    columns = [numbers(rng, n), numbers(rng, n), drawn(rng, n, ["a", "b"])]
    lines = csv_text(["x1", "x2", "class"], columns).splitlines()
    for k in (7, 30, 31):
        lines[k] += ",oops, again"
    return MessyTable("broken.csv", "\n".join(lines).encode(), "class", ("x1", "x2"), n - 3, 2, asks=("faulty_lines",))


@messy
def sensors() -> MessyTable:
    rng, n = rng_of("sensors"), 400
    values = numbers(rng, n, 2, 3, 20)
    values[3], values[250] = "ERR", "ERR"
    columns = [
        [f"2024-05-{1 + k // 24:02d}T{k % 24:02d}:00:00" for k in range(n)],
        *(values, numbers(rng, n, 1, 5, 50), drawn(rng, n, ["ok", "ok ", "fault"])),
    ]
    header = ["time", "temperature", "humidity", "status"]
    data = ("# logger v2\n# site 7\n" + csv_text(header, columns, "\t")).encode("utf-16")
    return MessyTable("sensor.txt", data, "status", ("temperature", "humidity"), n - 2, 2, notes=("ERR",))


@messy
def house_prices() -> MessyTable:
    rng, n = rng_of("houses"), 400
    columns = [numbers(rng, n, 3), numbers(rng, n, 2), [str(k % 9) for k in range(n)], numbers(rng, n, 1, 9, 22)]
    header = ["crim", "rm", "rad", "target"]
    return MessyTable("housing.csv", csv_text(header, columns).encode(), "target", ("crim", "rm", "rad"), n, 3)


@messy
def chinese() -> MessyTable:
    rng, n = rng_of("chinese"), 90
    columns = [
        [f"样品{k}" for k in range(n)],
        numbers(rng, n),
        numbers(rng, n),
        drawn(rng, n, ["苹果", "香蕉", "橙子"]),
    ]
    data = csv_text(["编号", "长度", "重量", "类别"], columns).encode("gb18030")
    return MessyTable("水果.csv", data, "类别", ("长度", "重量"), n, 3, notes=("GB 18030",))


@messy
def wide_spectra() -> MessyTable:
    rng, n = rng_of("spectra"), 40
    columns = [
        [f"s{k}" for k in range(n)],
        *(numbers(rng, n, 4) for _ in range(3_000)),
        drawn(rng, n, ["arabica", "robusta"]),
    ]
    header = ["sample", *(f"{400 + k} nm" for k in range(3_000)), "Species"]
    used = tuple(header[1:-1])
    return MessyTable("nir.csv", csv_text(header, columns).encode(), "Species", used, n, 2, notes=("3,000 features",))


@messy
def mushrooms() -> MessyTable:
    rng, n = rng_of("mushrooms"), 500
    columns = [drawn(rng, n, "ep"), numbers(rng, n, 1, 2, 6), drawn(rng, n, "bcxfks"), drawn(rng, n, "npogbruewy")]
    columns += [drawn(rng, n, "pwl"), with_gaps(rng, drawn(rng, n, "bcuez"), 0.3, "?")]
    header = ["class", "diameter", "cap-shape", "cap-color", "ring-type", "stalk-root"]
    return MessyTable("agaricus.csv", csv_text(header, columns).encode(), "class", tuple(header[1:]), n, 2)


@messy
def class_in_the_first_column() -> MessyTable:
    rng, n = rng_of("first"), 178
    columns = [drawn(rng, n, "123"), *(numbers(rng, n, 2, 2, 9) for _ in range(5))]
    header = ["Cultivar", "Alcohol", "Ash", "Magnesium", "Hue", "Proline"]
    return MessyTable("wine.csv", csv_text(header, columns).encode(), "Cultivar", tuple(header[1:]), n, 3)


@messy
def zip_codes_and_phones() -> MessyTable:
    rng, n = rng_of("zip"), 300
    columns = [
        [str(10_115 + 17 * k) for k in rng.permutation(n)],
        [f"030{5_550_000 + 31 * k}" for k in rng.permutation(n)],
        *(numbers(rng, n, 1), numbers(rng, n, 1), drawn(rng, n, ["bronze", "silver", "gold"])),
    ]
    header = ["zip_code", "phone", "visits", "spend", "segment"]
    used = ("visits", "spend")
    return MessyTable("clients.csv", csv_text(header, columns).encode(), "segment", used, n, 3)


@messy
def only_a_last_column_of_words() -> MessyTable:
    rng, n = rng_of("last"), 120
    columns = [numbers(rng, n), numbers(rng, n), drawn(rng, n, ["kirsche", "ahorn", "buche"])]
    data = csv_text(["laenge", "breite", "baum"], columns).encode()
    return MessyTable("holz.csv", data, "baum", ("laenge", "breite"), n, 3)


@messy
def two_columns_of_words_without_a_hint() -> MessyTable:
    rng, n = rng_of("hint"), 120
    columns = [numbers(rng, n), drawn(rng, n, ["north", "south"]), numbers(rng, n), drawn(rng, n, ["k", "l", "m"])]
    data = csv_text(["a", "b", "c", "d"], columns).encode()
    return MessyTable("abc.csv", data, "d", ("a", "b", "c"), n, 3, asks=("label",))
