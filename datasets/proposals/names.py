"""What a column's name says about it: whether it names a label, a code, an identifier or a point in time."""

from __future__ import annotations

import re
from collections.abc import Collection

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")

# How much a name speaks for a label, as the whole name; a name that only contains the word counts less.
_LABEL_WORDS = {
    6.0: "medv target targets label labels species survived churn churned attrition outcome diagnosis",
    5.5: "class classes klasse classe clase klass exited ziel cible especie espèce zielvariable diagnose diagnostico",
    5.0: "satisfaction",
    4.5: (
        "y disease quality fraud spam cultivar variety readmitted ergebnis resultado résultat classification stroke "
        "diabetes cancer died death dead deceased mortality recurrence relapse anomaly malware phishing dropout "
        "failure"
    ),
    3.5: (
        "default defaulted response result category income approved deposit subscribed purchased bought converted "
        "clicked grade risk winner won severity sentiment genre breed activity gesture digit letter language subtype "
        "sorte condition fail failed passed admitted accepted hired left event attack "
        "satisfied canceled cancelled delayed decision"
    ),
    3.0: "segment type kind typ art tipo kategorie catégorie status rating stage",
    2.0: "group gruppe groupe cluster treatment",
    -2.0: "sex gender geschlecht sexe",
}
_PHRASES = {
    "loan status": 5.0,
    "booking status": 4.5,
    "credit risk": 4.5,
    # Numbers that are predicted in tables everybody tries, and what stands beside them under the name of a label.
    "sale price": 5.0,
    "mssub class": 0.5,
    "sale condition": 0.5,
    "house price": 4.5,
    "median house value": 5.0,
    "selling price": 4.5,
    "price range": 4.5,
}
_PART_OF_A_NAME = 1.0
_PART_IF_GENERAL = 2.0  # "smoking status" and "ring type" are features as often as not
_GENERAL = 3.0
_YES_OR_NO = 0.5
_COORDINATES = frozenset("xyz")
_LABEL_SCORES = {word: score for score, words in _LABEL_WORDS.items() for word in words.split()}
_EAST_ASIAN = ("类别", "标签", "种类", "品种", "类型", "目标", "類別", "標籤", "ラベル", "クラス", "種類", "品種")
_KOREAN = ("분류", "종", "레이블", "클래스", "품종", "라벨")
_TIME_WORDS = frozenset(
    ["year", "jahr", "année", "month", "monat", "day", "tag", "time", "zeit", "date", "week", "hour", "t", "decade"]
)
_CODE_WORDS = frozenset(
    [
        "phone",
        "telephone",
        "telefon",
        "tel",
        "fax",
        "zip",
        "zipcode",
        "postal",
        "postcode",
        "plz",
        "ssn",
        "isbn",
        "ean",
        "barcode",
        "account",
        "ticket",
        "invoice",
        "order",
        "serial",
        "imei",
        "iban",
    ]
)
_ID_WORDS = frozenset(["id", "uuid", "guid", "key", "identifier", "nbr"])
# What rows stand for, when a number follows: "Sample code number", "CLIENTNUM".
_ROW_NUMBER = re.compile(
    r"(?:account|case|client|cust|customer|employee|encounter|invoice|member|order|participant|passenger|patient|person"
    r"|policy|record|respondent|sample|specimen|student|subject|transaction|user)"
    r"(?:code)?(?:id|key|nbr|no|nr|num|number|nummer|code|ref)"
)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in small letters: "HeartDisease" and "heart_disease" both give heart, disease."""
    return tuple(word.lower() for word in _WORD.findall(_CAMEL.sub(" ", name)))


def label_score(name: str, others: Collection[str] = ()) -> float:
    """How much the name speaks for a label among the `others`; 0 where it says nothing."""
    words = words_of(name)
    if not words:
        return 0.0
    if len(words) == 1:
        if words[0] in _EAST_ASIAN or words[0] in _KOREAN:
            return 5.0
        if words[0] == "y" and any(other.strip().lower() in _COORDINATES - {"y"} for other in others):
            return 0.0
        return _LABEL_SCORES.get(words[0], 0.0)
    if phrase := _PHRASES.get(" ".join(words)):
        return phrase
    # "class_label" and "is_fraud" say it at one of their ends, "default payment next month" too.
    ends = [_LABEL_SCORES.get(word, 0.0) for word in (words[0], words[-1]) if word != "y"]
    best = max(ends, default=0.0)
    if best <= 0:
        return min(ends, default=0.0)
    asks = _YES_OR_NO if words[0] in ("is", "has") else 0.0
    return best + asks - (_PART_OF_A_NAME if best > _GENERAL else _PART_IF_GENERAL)


def names_time(name: str) -> bool:
    return bool(_TIME_WORDS.intersection(words_of(name)))


def names_code(name: str) -> bool:
    return bool(_CODE_WORDS.intersection(words_of(name)))


def names_identifier(name: str) -> bool:
    """Whether the name is that of a number by which people, samples or orders are told apart."""
    words = words_of(name)
    return bool(words) and (words[-1] in _ID_WORDS or _ROW_NUMBER.fullmatch("".join(words)) is not None)
