"""The tables of the corpus: people, nature and technology, and exports of programs."""

import re

from tests.datasets.corpus.messy import messy

# fmt: off
# People
messy(
    "passengers", "titanic.csv", 891, "Survived", 2,
    """-PassengerId={k + 1}; Survived=0*6|1*4; Pclass=1|2|3; -Name=Name{k % 13}, Mr. {chr(65 + k % 26)}. {k};
    Sex=male|female; Age={k % 70}~.2; SibSp=0*7|1*2|2|3; Parch=0*7|1*2|2;
    -Ticket={f"A/5 {k * 7}" if k % 4 == 0 else 110_000 + 13 * (k // 2)}; Fare={40 + 9 * x:.4f}; -Cabin=C{k % 150}~.77;
    Embarked=S*7|C*2|Q~.003""",
    notes=(
        "178 missing cells are filled with the median",
        "3 missing cells in categories count as a level of their own",
        "Left out, as most of",
    ),
)
messy(
    "passengers_seaborn", "ship.csv", 600, "survived", 2,
    """survived=0*6|1*4; pclass=1|2|3; sex=male|female; age={40 + 9 * x:.1f}~.2; fare={40 + 9 * x:.4f};
    embarked=S*7|C*2|Q; class={["First", "Second", "Third"][int(row["pclass"]) - 1]}; who=man|woman|child;
    -deck=A|B|C|D|E~.77; -alive={["no", "yes"][int(row["survived"])]}; alone=True|False""",
    asks=("label",),
)
messy(
    "churn", "churn.csv", 900, "Churn", 2,
    """-customerID={1000 + 7 * k}-{"VHQG"[k % 4]}{chr(65 + k % 26)}; gender=Female|Male; SeniorCitizen=0|1;
    Partner=Yes|No; tenure={k % 72}; InternetService=DSL|Fiber optic|No; Contract=Month-to-month|One year|Two year;
    MonthlyCharges={70 + 9 * x:.2f}; TotalCharges={f"{900 + 300 * x:.2f}" if k % 100 else " "}; Churn=No*3|Yes""",
    n_rows=891,
)
messy(
    "employees", "hr.csv", 500, "Attrition", 2,
    """Age={18 + k % 43}; Attrition=Yes|No*5; BusinessTravel=Travel_Rarely|Non-Travel; DailyRate={800 + 90 * x:.0f};
    -EmployeeCount=1; -EmployeeNumber={3 * k + k % 2}; Department=HR|Sales|R&D; -Over18=Y; -StandardHours=80""",
)
messy(
    "income", "adult.data", 800, "income", 2,
    """age={17 + k % 70}; workclass=Private|State-gov|Self~.06 ?; fnlwgt={90_000 + 9_000 * x:.0f};
    education=Bachelors|HS-grad|Masters; relationship=Husband|Wife|Own-child; sex=Male|Female;
    native-country={"United-States" if k % 5 else f"Land-{7 * k % 200 // 5}"}; income=<=50K*3|>50K""",
    file=lambda text: text.replace(",", ", ").encode(),
)
messy(
    "tumours", "wdbc.csv", 400, "diagnosis", 2,
    "-id={842_302 + 97 * p}; diagnosis=M|B; radius_mean={14 + 3 * x:.3f}; texture_mean={19 + 4 * x:.2f}; -=",
)
messy(
    "lab_values", "lab.csv", 300, "Group", 5,
    """-Patient=P{k:04d}; CRP={f"{8 + 2 * x:.1f}" if k % 3 or k > 59 else "not measured"};
    LDL={f"{130 + 20 * x:.0f}" if k != 17 else "haemolytic sample, please repeat the measurement with a new tube of"
    " blood, the old one was mislabelled"}; Glucose={5 + x:.2f}; Group=Healthy|healthy |Diabetic|diabetic|At risk""",
    notes=("not measured", "haemolytic", "written in several ways"),
)
messy(
    "survey", "form.csv", 240, "Category", 3,
    """-Timestamp=2024/03/{1 + k % 28:02d} 10:{k % 60:02d}:00; -Email Address=person{k}@example.org;
    How useful?=1|2|3|4|5; How hard?=1|2|3|4|5; Age group=18-25|26-35|36+;
    -Any comments?=I think that the course number {k} was rather good\nand would go again~.3;
    Category=beginner|advanced|expert""",
)
messy(
    "loans", "loans.csv", 614, "Loan_Status", 2,
    """-Loan_ID=LP{1002 + 3 * k:06d}; Gender=Male|Female~.02; Dependents=0|1|2|3+; ApplicantIncome={5400 + 900 * x:.0f};
    LoanAmount={140 + 40 * x:.0f}~.04; Credit_History=0|1*8~.08; Property_Area=Urban|Rural; Loan_Status=Y|N""",
)
messy(
    "fraud", "creditcard.csv", 1500, "Class", 2,
    "Time={k // 2}; V1=f6; V2=f6; V3=f6; V4=f6; Amount={60 + 9 * x:.2f}; Class={int(k % 300 == 7)}",
)
messy(
    "rarely_answered", "trial.csv", 300, "outcome", 2,
    "a=f2; -seldom=f2~.65; b=f2~.1 NA; level=lo|hi~.3 n/a; outcome=case|control",
)

# Nature and technology
messy(
    "iris_without_names", "iris.data", 150, "column 5", 2,
    """column 1={5 + x:.1f}; column 2={5 + x:.1f}; column 3={5 + x:.1f}; column 4={5 + x:.1f};
    column 5=Iris-setosa|Iris-versicolor""",
    file=lambda text: text.partition("\n")[2].encode() + b"\n\n",
)
messy(
    "iris_from_r", "iris.csv", 90, "Species", 2,
    "-row={k + 1}; Sepal.Length={5 + x:.1f}; Sepal.Width={3 + x:.1f}; Species=setosa|virginica",
    file=lambda text: re.sub(r"(?m)^\d+|[A-Za-z][\w.]+", r'"\g<0>"', text.removeprefix("row,")).encode(),
)
messy(
    "penguins", "penguins.csv", 344, "species", 3,
    """species=Adelie|Gentoo|Chinstrap; island=Torgersen|Biscoe|Dream; bill_length_mm={44 + 3 * x:.1f}~.006 NA;
    flipper_length_mm={200 + 9 * x:.0f}~.006 NA; sex=male|female~.03 NA; year=2007|2008|2009""",
    n_rows=340,
)
messy(
    "red_wine", "winequality-red.csv", 700, "quality", 6,
    """fixed acidity={8 + x:.3f}; volatile acidity={8 + x:.3f}; pH={8 + x:.3f}; alcohol={8 + x:.3f};
    quality=3|4*5|5*40|6*40|7*12|8*2""",
    separator=";",
)
messy(
    "german_measurements", "äpfel.csv", 200, "Sorte", 3,
    "Größe={20 + 3 * x:.2f}; Gewicht={20 + 3 * x:.2f}; Preis={20 + 3 * x:.2f} €; Sorte=süß|herb|sauer",
    separator=";",
    file=lambda text: ("sep=;\n" + text.replace(".", ",")).replace("\n", "\r\n").encode("cp1252"),
)
messy(
    "cars_with_units", "used.csv", 300, "Class", 3,
    """-Name=Brand {k % 60} Model {k}; Engine={1000 + 3 * (k % 250)} CC; Power={60 + k % 90} bhp~.04;
    Mileage={15 + k % 12}.{k % 10} kmpl; Fuel_Type=Petrol|Diesel; Owner_Type=First|Second|Third;
    Class=small|family|luxury""",
)
messy(
    "populations", "world.csv", 120, "Class", 3,
    """-Country=Country {chr(65 + k % 26)}{k}; Population={1_234_567 + 8_910 * k:,}; Urban={40 + k % 40}%;
    GDP per head=${5 + k % 90},{k % 10}00; Class=Europe|Asia|Africa""",
    file=lambda text: (text + "\nSource: made up for this test\nNote: n/a where not reported\n").encode(),
    notes=("2 lines below the table were skipped",),
)
messy(
    "too_many_cells", "broken.csv", 100, "class", 2,
    "x1=f2; x2=f2; class=a|b",
    n_rows=97,
    file=lambda text: "".join(
        line + ",oops, again" * (k in (7, 30, 31)) + "\n" for k, line in enumerate(text.splitlines())
    ).encode(),
    asks=("faulty_lines",),
)
messy(
    "sensors", "sensor.txt", 400, "status", 2,
    """-time=2024-05-{1 + k // 24:02d}T{k % 24:02d}:00:00;
    temperature={"ERR" if k in (3, 250) else f"{20 + 3 * x:.2f}"}; humidity={50 + 5 * x:.1f}; status=ok|ok |fault""",
    n_rows=398,
    separator="\t",
    file=lambda text: ("# logger v2\n# site 7\n" + text).encode("utf-16"),
    notes=("ERR",),
)
messy(
    "house_prices", "housing.csv", 400, "target", 3,
    "crim=f3; rm=f2; rad={k % 9}; target={22 + 9 * x:.1f}",
)
messy(
    "chinese", "水果.csv", 90, "类别", 3,
    "-编号=样品{k}; 长度=f2; 重量=f2; 类别=苹果|香蕉|橙子",
    file=lambda text: text.encode("gb18030"),
    notes=("GB 18030",),
)
messy(
    "wide_spectra", "nir.csv", 40, "Species", 2,
"; ".join(["-sample=s{k}", *(f"{400 + k} nm=f4" for k in range(3_000)), "Species=arabica|robusta"]),
    notes=("3,000 features",),
)
messy(
    "mushrooms", "agaricus.csv", 500, "class", 2,
    """class=e|p; diameter={6 + 2 * x:.1f}; cap-shape=b|c|x|f|k|s; cap-color=n|p|o|g|b|r|u|e|w|y; ring-type=p|w|l;
    stalk-root=b|c|u|e|z~.3 ?""",
)
messy(
    "class_in_the_first_column", "wine.csv", 178, "Cultivar", 3,
    """Cultivar=1|2|3; Alcohol={9 + 2 * x:.2f}; Ash={9 + 2 * x:.2f}; Magnesium={9 + 2 * x:.2f}; Hue={9 + 2 * x:.2f};
    Proline={9 + 2 * x:.2f}""",
)
messy(
    "zip_codes_and_phones", "clients.csv", 300, "segment", 3,
    "-zip_code={10_115 + 17 * p}; -phone=030{5_550_000 + 31 * p}; visits=f1; spend=f1; segment=bronze|silver|gold",
)
messy("only_a_last_column_of_words", "holz.csv", 120, "baum", 3, "laenge=f2; breite=f2; baum=kirsche|ahorn|buche")
messy(
    "two_columns_of_words_without_a_hint", "abc.csv", 120, "d", 3,
    "a=f2; b=north|south; c=f2; d=k|l|m",
    asks=("label",),
)
