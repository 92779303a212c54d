"""Tables about people: passengers, customers, patients, employees, answers to a survey."""

import numpy as np

from tests.datasets.corpus.messy import MessyTable, csv_text, drawn, messy, numbers, rng_of, with_gaps

_FIRST = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Karla", "Leo", "Mia")
_LAST = ("Abel", "Braun", "Conrad", "Dorn", "Ernst", "Falk", "Gross", "Hahn", "Imhof", "Jung", "Kern", "Lang", "Maier")


def names(rng: np.random.Generator, n: int) -> list[str]:
    return [f"{_LAST[k % 13]}, Mr. {_FIRST[int(rng.integers(13))]} {chr(65 + k % 26)}. {k}" for k in range(n)]


@messy
def passengers() -> MessyTable:
    rng, n = rng_of("passengers"), 891
    tickets = [f"A/5 {k * 7}" if k % 4 == 0 else str(110_000 + 13 * (k // 2)) for k in range(n)]
    cabins = with_gaps(rng, [f"C{k % 150}" for k in range(n)], 0.77)
    columns = [
        *(range(1, n + 1), drawn(rng, n, "01", [6, 4]), drawn(rng, n, "123"), names(rng, n)),
        *(drawn(rng, n, ["male", "female"]), with_gaps(rng, [str(k % 70) for k in range(n)], 0.2)),
        *(drawn(rng, n, "0123", [7, 2, 1, 1]), drawn(rng, n, "012", [7, 2, 1]), tickets, numbers(rng, n, 4, 9, 40)),
        *(cabins, with_gaps(rng, drawn(rng, n, "SCQ", [7, 2, 1]), 0.003)),
    ]
    header = "PassengerId Survived Pclass Name Sex Age SibSp Parch Ticket Fare Cabin Embarked"
    used = ("Pclass", "Sex", "Age", "SibSp", "Parch", "Fare", "Embarked")
    notes = (
        "178 missing cells are filled with the median",
        "3 missing cells in categories count as a level of their own",
        "Left out, as most of",
    )
    return MessyTable("titanic.csv", csv_text(header.split(), columns).encode(), "Survived", used, n, 2, notes=notes)


@messy
def passengers_seaborn() -> MessyTable:
    rng, n = rng_of("seaborn"), 600
    survived, pclass = drawn(rng, n, "01", [6, 4]), drawn(rng, n, "123")
    columns = [
        *(survived, pclass, drawn(rng, n, ["male", "female"]), with_gaps(rng, numbers(rng, n, 1, 9, 40), 0.2)),
        *(numbers(rng, n, 4, 9, 40), drawn(rng, n, "SCQ"), [["First", "Second", "Third"][int(c) - 1] for c in pclass]),
        *(drawn(rng, n, ["man", "woman", "child"]), with_gaps(rng, drawn(rng, n, "ABCDE"), 0.77)),
        *([["no", "yes"][int(s)] for s in survived], drawn(rng, n, ["True", "False"])),
    ]
    header = ["survived", "pclass", "sex", "age", "fare", "embarked", "class", "who", "deck", "alive", "alone"]
    used = ("pclass", "sex", "age", "fare", "embarked", "class", "who", "alone")
    return MessyTable("ship.csv", csv_text(header, columns).encode(), "survived", used, n, 2, asks=("label",))


@messy
def churn() -> MessyTable:
    rng, n = rng_of("churn"), 900
    total = numbers(rng, n, 2, 300, 900)
    for k in range(9):
        total[k * 100] = " "
    columns = [
        [f"{1000 + 7 * k}-{'VHQG'[k % 4]}{chr(65 + k % 26)}" for k in range(n)],
        *(drawn(rng, n, ["Female", "Male"]), drawn(rng, n, "01"), drawn(rng, n, ["Yes", "No"])),
        *([str(k % 72) for k in range(n)], drawn(rng, n, ["DSL", "Fiber optic", "No"])),
        *(drawn(rng, n, ["Month-to-month", "One year", "Two year"]), numbers(rng, n, 2, 9, 70), total),
        drawn(rng, n, ["No", "Yes"], [3, 1]),
    ]
    header = "customerID gender SeniorCitizen Partner tenure InternetService Contract MonthlyCharges TotalCharges Churn"
    return MessyTable(
        "churn.csv", csv_text(header.split(), columns).encode(), "Churn", tuple(header.split()[1:-1]), n - 9, 2
    )


@messy
def employees() -> MessyTable:
    rng, n = rng_of("employees"), 500
    columns = [
        *([str(18 + k % 43) for k in range(n)], drawn(rng, n, ["Yes", "No"], [1, 5])),
        *(drawn(rng, n, ["Travel_Rarely", "Non-Travel"]), numbers(rng, n, 0, 90, 800), ["1"] * n),
        *([str(3 * k + k % 2) for k in range(n)], drawn(rng, n, ["HR", "Sales", "R&D"]), ["Y"] * n, ["80"] * n),
    ]
    header = "Age Attrition BusinessTravel DailyRate EmployeeCount EmployeeNumber Department Over18 StandardHours"
    used = ("Age", "BusinessTravel", "DailyRate", "Department")
    return MessyTable("hr.csv", csv_text(header.split(), columns).encode(), "Attrition", used, n, 2)


@messy
def income() -> MessyTable:
    rng, n = rng_of("income"), 800
    countries = ["United-States", *(f"Land-{k}" for k in range(40))]
    columns = [
        *(
            [str(17 + k % 70) for k in range(n)],
            with_gaps(rng, drawn(rng, n, ["Private", "State-gov", "Self"]), 0.06, "?"),
        ),
        *(numbers(rng, n, 0, 9000, 90000), drawn(rng, n, ["Bachelors", "HS-grad", "Masters"])),
        *(drawn(rng, n, ["Husband", "Wife", "Own-child"]), drawn(rng, n, ["Male", "Female"])),
        *(drawn(rng, n, countries, [160, *([1] * 40)]), drawn(rng, n, ["<=50K", ">50K"], [3, 1])),
    ]
    header = ["age", "workclass", "fnlwgt", "education", "relationship", "sex", "native-country", "income"]
    text = csv_text(header, columns).replace(",", ", ")
    return MessyTable("adult.data", text.encode(), "income", tuple(header[:-1]), n, 2)


@messy
def tumours() -> MessyTable:
    rng, n = rng_of("tumours"), 400
    columns = [
        [str(842_302 + 97 * ((k * 7919) % n)) for k in range(n)],
        *(drawn(rng, n, "MB"), numbers(rng, n, 3, 3, 14), numbers(rng, n, 2, 4, 19), [""] * n),
    ]
    header = ["id", "diagnosis", "radius_mean", "texture_mean", ""]
    used = ("radius_mean", "texture_mean")
    return MessyTable("wdbc.csv", csv_text(header, columns).encode(), "diagnosis", used, n, 2)


@messy
def lab_values() -> MessyTable:
    rng, n = rng_of("lab"), 300
    crp = numbers(rng, n, 1, 2, 8)
    for k in range(0, 60, 3):
        crp[k] = "not measured"
    ldl = numbers(rng, n, 0, 20, 130)
    ldl[17] = "haemolytic sample, please repeat the measurement with a new tube of blood, the old one was mislabelled"
    groups = drawn(rng, n, ["Healthy", "healthy ", "Diabetic", "diabetic", "At risk"])
    columns = [[f"P{k:04d}" for k in range(n)], crp, ldl, numbers(rng, n, 2, 1, 5), groups]
    header = ["Patient", "CRP", "LDL", "Glucose", "Group"]
    used = ("CRP", "LDL", "Glucose")
    notes = ("not measured", "haemolytic", "written in several ways")
    return MessyTable("lab.csv", csv_text(header, columns).encode(), "Group", used, n, 5, notes=notes)


@messy
def survey() -> MessyTable:
    rng, n = rng_of("survey"), 240
    comments = with_gaps(
        rng, [f"I think that the course number {k} was rather good\nand would go again" for k in range(n)], 0.3
    )
    columns = [
        [f"2024/03/{1 + k % 28:02d} 10:{k % 60:02d}:00" for k in range(n)],
        *([f"person{k}@example.org" for k in range(n)], drawn(rng, n, "12345"), drawn(rng, n, "12345")),
        *(drawn(rng, n, ["18-25", "26-35", "36+"]), comments, drawn(rng, n, ["beginner", "advanced", "expert"])),
    ]
    header = ["Timestamp", "Email Address", "How useful?", "How hard?", "Age group", "Any comments?", "Category"]
    used = ("How useful?", "How hard?", "Age group")
    return MessyTable("form.csv", csv_text(header, columns).encode(), "Category", used, n, 3)


@messy
def loans() -> MessyTable:
    rng, n = rng_of("loans"), 614
    columns = [
        [f"LP{1002 + 3 * k:06d}" for k in range(n)],
        *(with_gaps(rng, drawn(rng, n, ["Male", "Female"]), 0.02), drawn(rng, n, ["0", "1", "2", "3+"])),
        *(numbers(rng, n, 0, 900, 5400), with_gaps(rng, numbers(rng, n, 0, 40, 140), 0.04)),
        *(with_gaps(rng, drawn(rng, n, "01", [1, 8]), 0.08), drawn(rng, n, ["Urban", "Rural"]), drawn(rng, n, "YN")),
    ]
    header = "Loan_ID Gender Dependents ApplicantIncome LoanAmount Credit_History Property_Area Loan_Status"
    used = tuple(header.split()[1:-1])
    return MessyTable("loans.csv", csv_text(header.split(), columns).encode(), "Loan_Status", used, n, 2)


@messy
def fraud() -> MessyTable:
    rng, n = rng_of("fraud"), 1500
    classes = ["1" if k % 300 == 7 else "0" for k in range(n)]
    columns = [
        [str(k // 2) for k in range(n)],
        *(numbers(rng, n, 6) for _ in range(4)),
        numbers(rng, n, 2, 9, 60),
        classes,
    ]
    header = ["Time", "V1", "V2", "V3", "V4", "Amount", "Class"]
    return MessyTable("creditcard.csv", csv_text(header, columns).encode(), "Class", tuple(header[:-1]), n, 2)


@messy
def rarely_answered() -> MessyTable:
    rng, n = rng_of("rare"), 300
    columns = [
        *(numbers(rng, n), with_gaps(rng, numbers(rng, n), 0.65), with_gaps(rng, numbers(rng, n), 0.1, "NA")),
        *(with_gaps(rng, drawn(rng, n, ["lo", "hi"]), 0.3, "n/a"), drawn(rng, n, ["case", "control"])),
    ]
    header = ["a", "seldom", "b", "level", "outcome"]
    return MessyTable("trial.csv", csv_text(header, columns).encode(), "outcome", ("a", "b", "level"), n, 2)
