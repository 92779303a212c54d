"""Which columns could be the label, by name, content and place; the role of each other column; and its odd cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from datasets.base.words import counted
from datasets.columns.build import MOST_LEVELS
from datasets.columns.cells import Column
from datasets.reading import is_missing, on_one_line
from datasets.reading.table import OF_NAMES

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W_]+")

# How much a name speaks for a label, as the whole name; a name that only contains the word counts less.
_LABEL_WORDS = {
    6.0: "medv target targets label labels species survived churn churned attrition outcome diagnosis",
    5.5: (
        "class classes klasse classe clase klass klasa třída класс sınıf luokka exited ziel cible especie espèce "
        "espécie gatunek zielvariable diagnose diagnostico diagnóstico diagnoza diagnóza диагноз"
    ),
    5.0: (
        "satisfaction 类别 标签 种类 品种 类型 目标 類別 標籤 ラベル クラス 種類 品種 分類 诊断 診断 분류 종 레이블 "
        "클래스 품종 라벨 التصنيف الفئة"
    ),
    4.5: (
        "y disease quality fraud spam cultivar variety readmitted ergebnis resultado résultat risultato wynik výsledek "
        "результат 结果 結果 결과 classification stroke "
        "diabetes cancer died death dead deceased mortality recurrence relapse anomaly malware phishing dropout "
        "failure"
    ),
    3.5: (
        "default defaulted response result category income approved deposit subscribed purchased bought converted "
        "clicked grade risk winner won severity sentiment genre breed activity gesture digit letter language subtype "
        "sorte condition fail failed passed admitted accepted hired left event attack "
        "satisfied canceled cancelled delayed decision přijat kategoria категория categoria categoría catégorie "
        "kategorie 등급"
    ),
    3.0: (
        "segment type kind typ art tipo soort rodzaj druh тип вид tür tyyppi laji loại النوع 区分 구분 status rating "
        "stage"
    ),
    2.0: "group gruppe groupe cluster treatment",
    -2.0: "sex gender geschlecht sexe",
}
_PART_OF_A_NAME = 1.0
_MARK = 2  # letters
_PART_IF_GENERAL = 2.0  # "smoking status" and "ring type" are features as often as not
_GENERAL = 3.0
_OF_A_FAMILY = 2  # columns
_KINDS = ("class", "klasse", "species", "label", "type", "tipo", "status")
_YES_OR_NO = 0.5
_COORDINATES = frozenset("xyz")
_IDEOGRAPHS = "\u2e80"
_LABEL_SCORES = {word: score for score, words in _LABEL_WORDS.items() for word in words.split()}
_NAMES = {
    "time": "year jahr année month monat day tag time zeit date week hour t decade",
    "code": (
        "phone telephone telefon tel fax zip zipcode postal postcode plz ssn isbn ean barcode account ticket invoice "
        "order serial imei iban fips"
    ),
    "amount": (
        "population pop inhabitants einwohner bevölkerung población população habitants amount count total sum value "
        "price cost income revenue sales budget gdp area volume distance salary balance 人口 金额"
    ),
    "id": "id uuid guid key identifier nbr",
    "person": (
        "patient subject person participant respondent speaker student user customer client donor writer proband "
        "teilnehmer participante sujeto uczestnik respondente"
    ),
    "measure": (
        "altitude latitude longitude size length width height weight depth duration age rate number count start end"
    ),
    "coded": "code kode codigo código cod kod codice koodi kód kódu cis",
    "number of": "numero número numéro nummer numer num nr no",
    "place": "plate batch site hospital session plot block region station center centre zone no nr",
}
_NAME_WORDS = {kind: frozenset(words.split()) for kind, words in _NAMES.items()}
# What a row describes, when a number follows: "Sample code number", "CLIENTNUM".
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
    if not words or _AS_JSON.fullmatch(name):
        return 0.0
    if len(words) == 1:
        if words[0] == "y" and any(other.strip().lower() in _COORDINATES - {"y"} for other in others):
            return 0.0
        # Chinese, Japanese and Korean write words without blanks: 抑郁标签 ends with "label".
        parts = [score for word, score in _LABEL_SCORES.items() if word > _IDEOGRAPHS and words[0].endswith(word)]
        if not parts:  # "tipoaccidente", "tumortype"
            parts = [2 * _PART_OF_A_NAME for word in _KINDS if words[0].startswith(word) or words[0].endswith(word)]
        return _LABEL_SCORES.get(words[0]) or max(parts, default=_PART_OF_A_NAME) - _PART_OF_A_NAME
    # "class_label" and "is_fraud" say it at one of their ends, "default payment next month" too.
    ends = [_LABEL_SCORES.get(word, 0.0) for word in (words[0], words[-1]) if word != "y"]
    if words[-1] in _NAME_WORDS["measure"]:  # "event_altitude", "class_size"
        ends = [0.0]
    best = max(ends, default=0.0)
    if best <= 0:
        return min(ends, default=0.0)
    if (
        sum(words_of(other)[:1] == words[:1] for other in others) >= _OF_A_FAMILY
        and _LABEL_SCORES.get(words[0]) == best
    ):
        best = min(best, _GENERAL)  # such as target_start, target_end and target_word
    asks = _YES_OR_NO if words[0] in ("is", "has") else 0.0
    return best + asks - (_PART_OF_A_NAME if best > _GENERAL else _PART_IF_GENERAL)


def is_sibling(name: str, label: str) -> bool:
    """Whether the names are those of several labels, such as y1 and y2, or target_a and target_b."""
    one, other = (words_of(each) for each in (name, label))
    if any(len(word) > _MARK and not word.isdecimal() for word in (*one[1:], *other[1:])):
        return False  # "target_color" and "target_size" are of a target
    stem = one[0].rstrip("0123456789") if one else ""
    same = bool(other) and stem == other[0].rstrip("0123456789") and name != label
    return same and _LABEL_SCORES.get(stem, 0.0) >= _NAMES_A_LABEL - 0.5


def _names(kind: str, name: str) -> bool:
    """Whether a word of the name is one of this kind in _NAMES."""
    return not _NAME_WORDS[kind].isdisjoint(words_of(name))


def names_identifier(name: str) -> bool:
    """Whether the name is that of a number that identifies persons, samples or orders."""
    words = words_of(name)
    return bool(words) and (words[-1] in _NAME_WORDS["id"] or _ROW_NUMBER.fullmatch("".join(words)) is not None)


MOST_CLASSES_SHOWN = 12
_LONGEST_CLASS = 30
_FEW, _FEW_STEPS = 20, 10  # classes; of numbers that are not whole
_SURE_SCORE = 3.0
_SURE_ALONE = 2.5
_FEWEST_OTHERS, _RARE = 3, 0.1  # rows outside the largest class, and for each row in it
_SURE_MARGIN = 1.5
_PLAUSIBLE = 1.0
_NUMBERED = re.compile(r"column \d+")
_NUMBER = re.compile(r"\d+")
_NAMES_A_LABEL, _COULD_NAME_ONE = 5.0, 2.0
_FEWEST_IN_SERIES, _SHARE_IN_SERIES, _IN_SERIES = 10, 0.8, -10.0
FIRST, LAST, LAST_NUMBERS = "first column", "last column", "last column of numbers"
_FORMULA = re.compile(r"\{\s*\w+\(.*\)\s*\}", re.DOTALL)  # the name of a computed column of LimeSurvey
_AS_JSON = re.compile(r"\{.*:.*\}", re.DOTALL)  # of Qualtrics, e.g. {"ImportId":"condition"}


@dataclass(frozen=True)
class LabelCandidate:
    """A column that could be the label."""

    name: str
    reason: str  # to stand behind "because"
    score: float
    mode: str  # a key of LABEL_MODES: "bins" where it holds many different numbers
    n_classes: int
    classes: tuple[tuple[str, int], ...]  # (label, rows) of the most frequent, at most MOST_CLASSES_SHOWN
    n_unlabelled: int
    n_single: int  # classes of one row
    n_merged: int = 0  # classes if the spellings of each are merged; 0 where each has one
    by_name: float = 0.0  # what its name adds to the score
    place: str = ""  # FIRST, LAST or LAST_NUMBERS, row numbers and free text left aside
    in_names: bool = False  # whether it was read out of the names of the rows, and so is asked about
    where: str = ""  # `place` in words; the number of the column where others stand before or behind it


def label_candidates(facts: tuple[Column, ...], joined: str = "") -> tuple[LabelCandidate, ...]:
    """All columns that could be the label, best first, by name, values and place.

    A last column of numbers is always among them: it is what many tables are about. Where the last column is mostly
    empty or no label, the last one of numbers is. `joined` is the name of a column that joins columns of 0 and 1.
    """
    words = [f.name for f in facts if f.kind == "words" and 2 <= f.n_values <= f.n_present // 2]
    names = [f.name for f in facts]
    telling = [
        f.name
        for f in facts
        if f.n_values > 1 and not (f.n_values == len(f.cells) and _names_rows(f)) and not _FORMULA.fullmatch(f.name)
    ]
    tells = set(telling)
    numbers = [f.name for f in facts if f.kind == "numbers" and f.name in tells and not _names("code", f.name)]
    places = {telling[0]: FIRST, telling[-1]: LAST} if telling else {}
    last = next((f for f in facts if places.get(f.name) == LAST), None)
    if last is None or last.n_missing > last.n_present or not _possible(last, 0.0):
        filled = [f.name for f in facts if f.name in numbers and f.n_missing <= f.n_present]
        places = dict.fromkeys(filled[-1:], LAST_NUMBERS) | places
    of_numbers = [f.name for f in facts if f.kind == "numbers"]
    edges = {FIRST: names[0], LAST: names[-1], LAST_NUMBERS: of_numbers[-1] if of_numbers else ""}
    found, series = [], _series(names)
    for k, fact in enumerate(facts, start=1):
        by_name, place = label_score(fact.name, names), places.get(fact.name, "")
        possible = _possible(fact, by_name)
        if _FORMULA.fullmatch(fact.name):
            continue
        at_an_end = place in (LAST, LAST_NUMBERS) and fact.name in numbers and fact.n_missing <= fact.n_present
        if not possible and not at_an_end:
            continue
        candidate = described(fact)
        if candidate.n_classes < 2 or candidate.n_merged == 1:
            continue
        if candidate.mode == "classes" and candidate.n_single == candidate.n_classes:
            continue
        score, reasons = _by_content(fact, candidate) if possible else (-1.0, [])
        if by_name > 0:
            reasons.insert(0, f"its name is {fact.name!r}")
        score += by_name + (_IN_SERIES if fact.name in series else 0.0)
        if fact.name == joined:
            score, by_name = score + 1.5, max(by_name, _COULD_NAME_ONE)
            reasons.insert(0, "it joins columns of 0 and 1")
        if words == [fact.name]:
            score += 1.0
            reasons.append("it is the only column of words that repeat")
        where = place
        if place and edges[place] != fact.name:
            is_last = place == LAST and edges[LAST_NUMBERS] == fact.name
            where = LAST_NUMBERS if is_last else f"column {k} of {len(facts)}"
        if place in (FIRST, LAST):
            score += 1.0 if place == LAST else 0.5
            if where == place:
                reasons.append(f"it is the {place}")
        in_names = OF_NAMES.fullmatch(fact.name) is not None
        if in_names:
            reasons = ["it repeats in the names of the rows"]
        candidate = replace(candidate, score=score, reason=" and ".join(reasons[:2]), by_name=by_name)
        found.append(replace(candidate, place=place, where=where, in_names=in_names))
    return tuple(sorted(found, key=lambda candidate: -candidate.score))


def _series(names: Sequence[str]) -> frozenset[str]:
    """Names that count up, such as otu1 to otu300, where nearly all do: one of them is no label among the others."""
    stems = {name: _NUMBER.sub("#", name) for name in names if not _NUMBERED.fullmatch(name)}
    stem, n = max(Counter(stems.values()).items(), key=lambda item: item[1], default=("", 0))
    if "#" not in stem or n < max(_FEWEST_IN_SERIES, _SHARE_IN_SERIES * len(names)):
        return frozenset()
    return frozenset(name for name in stems if stems[name] == stem)


def _names_rows(fact: Column) -> bool:
    """Whether a column of different cells numbers or names the rows."""
    return fact.kind != "numbers" or (fact.is_whole and bool((np.diff(fact.numbers.values) > 0).all()))


def is_sure(candidates: tuple[LabelCandidate, ...]) -> bool:
    """Whether the first candidate needs no question: name, place and values agree, or no other column is plausible.

    A name such as "class" is enough by itself. At the first place one word that could name a label is, at the last
    place a part of the name too; a column without a name has none that disagrees. One that is alone needs a name at the
    first place only.
    """
    if not candidates:
        return False
    best, *others = candidates
    if best.in_names:
        return False
    counts = [count for _, count in best.classes]
    if best.mode == "classes" and sum(counts[1:]) < min(_FEWEST_OTHERS, _RARE * counts[0]):
        return False
    if not others:
        return best.score >= _SURE_ALONE and (best.place != FIRST or best.by_name > 0)
    agree = best.by_name >= _NAMES_A_LABEL
    if best.place == FIRST:
        agree = agree or (best.by_name >= _COULD_NAME_ONE and len(words_of(best.name)) == 1)
    elif best.place == LAST:
        unnamed = _NUMBERED.fullmatch(best.name) is not None
        agree = agree or best.by_name > 0 or unnamed or others[0].score < _PLAUSIBLE
    return agree and best.score >= _SURE_SCORE and best.score - others[0].score >= _SURE_MARGIN


def described(column: Column) -> LabelCandidate:
    """A column as a label: its classes with their counts."""
    levels = column.levels
    named = np.array([bool(cell) for cell in levels.values], dtype=bool)  # "NA" can be the name of a class
    there = np.flatnonzero(named & (levels.counts > 0))
    order = there[np.argsort(-levels.counts[there], kind="stable")]
    shown = tuple((levels.values[k], int(levels.counts[k])) for k in order[:MOST_CLASSES_SHOWN])
    n_single = int(np.sum(levels.counts[there] == 1))
    mode = "bins" if column.has_many_numbers else "classes"
    spellings = column.spellings if mode == "classes" else ()
    return LabelCandidate(
        column.name,
        "chosen by you",
        0.0,
        mode,
        len(there),
        shown,
        int(levels.counts[~named].sum()),
        n_single,
        len(there) - sum(len(group) - 1 for group in spellings) if spellings else 0,
    )


def classes_line(candidate: LabelCandidate) -> str:
    """Place, and classes with their counts, on one line."""
    place = f"{candidate.where}, " if candidate.where else ""
    if candidate.mode != "classes":
        return f"{place}{candidate.n_classes:,} different numbers"
    names = short_classes([name for name, _ in candidate.classes[:6]])
    shown = ", ".join(f"{name} ({count:,})" for name, (_, count) in zip(names, candidate.classes, strict=False))
    more = f" and {candidate.n_classes - 6:,} more" if candidate.n_classes > 6 else ""
    merged = f" ({candidate.n_merged:,} if spellings are merged)" if candidate.n_merged else ""
    return f"{place}{counted(candidate.n_classes, 'class', 'classes')}{merged}: {shown}{more}"


def short_classes(names: Sequence[str]) -> list[str]:
    """The names of classes on one line, cut with an ellipsis: at their ends, or in the middle where these differ."""
    lines = [on_one_line(name) for name in names]
    for n_last in (0, _LONGEST_CLASS // 2):
        n_first = _LONGEST_CLASS - 1 - n_last
        short = [
            line if len(line) <= _LONGEST_CLASS else f"{line[:n_first]}…{line[len(line) - n_last :]}" for line in lines
        ]
        if len(set(short)) == len(set(lines)):
            break
    return short


def _possible(fact: Column, by_name: float) -> bool:
    is_code = _names("code", fact.name) and not (fact.kind == "words" and fact.n_values <= fact.n_present // 10)
    if fact.n_values < 2 or fact.kind in ("dates", "empty") or is_code:
        # "NA" and one other name, or "1" and "01": what is missing or equal as a number can be the name of a class.
        return by_name >= 5 and fact.kind != "dates" and not is_code
    if fact.kind == "words":
        return fact.n_values <= max(2, fact.n_present // 2)
    if by_name >= 3 and not _names("time", fact.name):
        return True
    most = min(_FEW, max(2, fact.n_present // 4)) if fact.is_whole else min(_FEW_STEPS, fact.n_present // _FEW)
    return fact.n_values <= most


def _by_content(fact: Column, candidate: LabelCandidate) -> tuple[float, list[str]]:
    if candidate.mode == "bins":
        return -1.0, ["it holds many different numbers"]
    if fact.kind == "words":
        score, reason = 1.5, f"it holds {candidate.n_classes} different words"
    elif fact.n_values == 2:
        score, reason = 1.25, "it holds two different numbers"
    else:
        whole = "whole " if fact.is_whole else ""
        score, reason = 0.75, f"it holds {candidate.n_classes} different {whole}numbers"
    if candidate.n_classes <= _FEW and candidate.n_single == 0:
        score += 1.0
    if fact.kind == "numbers" and not fact.is_whole:
        score -= 2.0  # an answer, hardly ever the best
    if candidate.n_single > 0.2 * candidate.n_classes:
        score -= 2.0
    if candidate.n_classes > 50:
        score -= 1.5
    if fact.n_missing > fact.n_present:
        score -= 2.0
    return score, [reason]


_MOST_LEVELS = 5_000


def gap_labels(label: Column) -> tuple[str, ...]:
    """Labels such as "NA" and "unknown", which may mean that a row has none, beside two classes or more; "none" is one
    as often as not, and so is "-" beside "+"."""
    levels = label.levels
    there = [name for name, n in zip(levels.values, levels.counts.tolist(), strict=True) if name and n]
    classes = {"none", "-"} if "+" in there else {"none"}
    found = [
        name
        for name in there[:_MOST_LEVELS]
        if (is_missing(name) and name.lower() not in classes) or _NO_LABEL.fullmatch(name)
    ]
    return tuple(found) if len(there) - len(found) >= 2 else ()


_NUMBERED_PERSON = _NAME_WORDS["person"] | _NAME_WORDS["id"] | _NAME_WORDS["number of"]
_FEWEST_PERSONS = 6
TELLS_PERSONS = "it tells persons or samples apart; rows can be held out by it"
SAME_AS_LABEL = "it says the same as the label"
ANOTHER_LABEL = "it is another label"
IN_LABEL = "it is a part of the label"
JOINED = "it joins other columns"
FREE_TEXT = "it holds free text"
_ROW_NAMES = frozenset({"index", "row", "#", "unnamed: 0", "__index_level_0__"})  # as programs write them
COUNTER_NAMES = _ROW_NAMES | {"id", "no", "no.", "nr", "nr.", "number", "column 1"}
_ID_NAME = re.compile(r"(?:.*[_\- .])?(?:id|uuid|guid|key)|(?-i:.*[a-z0-9]I[dD])", re.IGNORECASE)
_SAME_AS_LABEL = 0.98
_SPLIT_WORDS = frozenset(("train", "training", "test", "testing", "validation", "valid", "val", "dev", "holdout"))
_MANY_MISSING_WORDS = 5


def why_no_feature(fact: Column, label: Column | None, alone_unnamed: bool) -> str:
    """The reason to leave the column out, whatever else it holds; "" where there is none."""
    name, n_rows, numbers = fact.name, len(fact.cells), fact.numbers
    if not fact.n_values:
        return "it is empty"
    if fact.n_values == 1:
        gaps = " or missing" if fact.n_missing else ""
        return f"it is {fact.examples[0]}{gaps} in every row"
    if fact.kind == "dates":
        return f"it holds {fact.times}"
    if fact.kind == "words" and _SPLIT_WORDS.issuperset(cell.lower() for cell in fact.levels.values if cell):
        return "it marks training and test rows"
    if OF_NAMES.fullmatch(fact.name):
        return "it was read out of the names of the rows"
    if label is not None and is_sibling(fact.name, label.name):
        return ANOTHER_LABEL
    if label is not None and _same_as(fact, label):
        return SAME_AS_LABEL
    if fact.kind == "numbers" and fact.n_values == n_rows and not numbers.words.any() and fact.is_whole:
        # Names joined from two header lines begin with the one that counts: "id unit".
        if {name.lower(), *name.lower().split()[:1]} & COUNTER_NAMES and (np.diff(numbers.values) == 1.0).all():
            return "it counts the rows"
        # Rows that were shuffled or chosen keep their numbers; "column 1" is a blank name among others.
        if name.lower() in _ROW_NAMES or (name == "column 1" and alone_unnamed) or _ID_NAME.fullmatch(name.strip()):
            return "it is a different number in every row, an id"
    return ""


def _same_as(fact: Column, label: Column) -> bool:
    """Whether values and classes correspond one to one in nearly all rows, and in nearly all outside the largest."""
    if abs(fact.n_values - len(label.levels.values)) > _MANY_MISSING_WORDS:
        return False  # so that the cells of long columns of numbers are not compared as text
    one, other = fact.levels, label.levels
    n_values, n_rows = len(one.values), len(one.codes)
    if n_values != len(other.values) or not 2 <= n_values <= n_rows // 2:
        return False
    pairs, counts = np.unique(one.codes.astype(np.int64) * n_values + other.codes, return_counts=True)
    agree, met, taken = 0, set[int](), set[int]()
    for k in np.argsort(-counts, kind="stable"):
        value, code = divmod(int(pairs[k]), n_values)
        if value not in met and code not in taken:
            met.add(value)
            taken.add(code)
            agree += int(counts[k])
    return n_rows - agree <= (1 - _SAME_AS_LABEL) * (n_rows - other.counts.max())


_MANY_GAPS = 0.5
_NEARLY_ALL_DIFFERENT = 0.9
_COVERED = 0.6  # share of the rows that the frequent levels of a wide category hold at least
_FEWEST_COUNTED = 20
_RISES = 0.95  # share of the rows
_LEAST_DIGITS = 5  # of a code that begins with 0; months and times have fewer
_WIDEST_COUNT = 5  # a column that counts upwards leaves out four numbers of five at most
_FEWEST_IDS = 50  # below, the number of a shop or a site tells groups apart
_SAMPLE = 500
_SMALLEST_CODE = 10_000
_NEARLY_ALL_CODES = 0.95
_LONG_CODE = 8  # digits
_EVEN = 0.1  # greatest distance to a uniform distribution function
_ROUND = 0.3  # share of multiples of ten
CODE = re.compile(r"(?=.*\d)[\w./#-]{1,20}(?: [\w./#-]{1,20})?")


def proposed_role(
    fact: Column, label: Column | None, *, is_first: bool, has_names: bool, as_text: bool
) -> tuple[str, str]:
    """Propose what to do with a column: a key of ROLES, and the reason where it is left out.

    `label` is the label column, which another column may repeat; `is_first` and `has_names` say that it is the first
    column and that the file names its columns; `as_text` takes numbers with other cells among them as text.
    """
    n_rows, is_text = len(fact.cells), as_text or fact.kind == "words"
    why = "" if as_text else why_no_feature(fact, label, has_names)
    if not why and fact.n_missing > _MANY_GAPS * n_rows:
        why = f"{fact.n_missing:,} of {n_rows:,} cells are missing"
    if not why and is_text:
        why = _why_text_is_left_out(fact, mixed=as_text)
    elif not why:
        why = _why_numbers_are_left_out(fact, is_first)
    if why:
        return "left_out", why
    if is_text:
        return "ordered" if fact.order else "categories", ""
    words = words_of(fact.name)
    by_name = (bool(words) and _NAME_WORDS["place"].issuperset(words)) or _names("coded", fact.name)
    are_codes = fact.is_whole and 2 < fact.n_values <= MOST_LEVELS and (by_name or _has_leading_zeros(fact))
    return "categories" if are_codes else "number", ""


def _tells_persons(fact: Column) -> bool:
    """Whether a column tells apart persons or things that are named by numbers or codes, as "participant" and
    "student_id" do."""
    words = words_of(fact.name)
    is_id = bool(words) and words[-1] in _NAME_WORDS["id"]
    if fact.n_values < _FEWEST_PERSONS or not (
        is_id or (_NUMBERED_PERSON.issuperset(words) and _names("person", fact.name))
    ):
        return False
    sample = [cell for cell in fact.levels.values[:_SAMPLE] if cell]
    return fact.kind == "numbers" or is_id or 2 * sum(CODE.fullmatch(cell) is not None for cell in sample) > len(sample)


def _has_leading_zeros(fact: Column) -> bool:
    """Whether the cells are codes of five digits or more, some of which begin with 0."""
    codes = [cell for cell, gap in zip(fact.levels.values, fact.levels.missing.tolist(), strict=True) if not gap]
    widths = set(map(len, codes))
    return (
        len(widths) == 1
        and min(widths) >= _LEAST_DIGITS
        and any(cell[0] == "0" for cell in codes)
        and (all(map(str.isdecimal, codes)))
    )


def _why_numbers_are_left_out(fact: Column, is_first: bool) -> str:
    if _names("code", fact.name) and fact.is_whole and fact.n_values > fact.n_present / 2:
        return "it holds codes, nearly all different"
    if counts_upwards(fact) or (is_first and _rises_mostly(fact)):
        return "it counts upwards, like an identifier"
    if fact.n_values > MOST_LEVELS and _has_leading_zeros(fact):
        return "it holds codes with leading zeros"
    numbers_things = not _NAME_WORDS["number of"].isdisjoint(words_of(fact.name)[:1])
    is_large = numbers_things and np.nanmin(fact.numbers.values) >= _SMALLEST_CODE
    if (names_identifier(fact.name) or is_large) and fact.n_values > _FEWEST_IDS and fact.is_whole:
        return "it holds the numbers of an identifier"
    if _names("coded", fact.name) and fact.is_whole and fact.n_values > MOST_LEVELS:
        return "it holds codes"
    if fact.is_whole and _tells_persons(fact):
        return TELLS_PERSONS
    if _names_the_rows(fact, is_first):
        return "it holds large numbers, nearly all different, like an identifier"
    return ""


def _why_text_is_left_out(fact: Column, mixed: bool) -> str:
    """The reason, or "" for text that can be used as categories."""
    levels, n_present = fact.levels, fact.n_present
    present = np.flatnonzero(~levels.missing)
    sample = [levels.values[k] for k in present[:_SAMPLE]]
    n_words = sum(len(cell.split()) for cell in sample) / max(1, len(sample))
    n_values = len(present)
    if _tells_persons(fact):
        return TELLS_PERSONS
    if fact.answers:
        return "it holds lists of answers, each of which is a column"
    if n_values > _NEARLY_ALL_DIFFERENT * n_present or n_values > n_present // 2:
        if sum(CODE.fullmatch(cell) is not None for cell in sample) > 0.6 * len(sample):
            return "it holds codes, nearly all different"
        if n_words > 4:
            return FREE_TEXT
        how_many = "nearly all" if n_values > _NEARLY_ALL_DIFFERENT * n_present else "most of them"
        return f"it holds names or text, {how_many} different"
    counts = np.sort(levels.counts[present])[::-1]
    if n_values <= MOST_LEVELS:
        return ""
    if n_words > 4:
        return FREE_TEXT
    if counts[: MOST_LEVELS - 1].sum() >= _COVERED * n_present:
        return ""
    what = "codes" if mixed else "values"
    return f"it has {n_values:,} different {what}, too many for categories"


def naming_column(left_out: Sequence[Column]) -> str:
    """The first column of texts, else of whole numbers of an identifier, that differ in nearly all rows; "" if none."""
    differ = [fact for fact in left_out if fact.n_values > _NEARLY_ALL_DIFFERENT * len(fact.cells)]
    texts = [fact.name for fact in differ if fact.kind == "words"]
    ids = [f.name for f in differ if f.kind == "numbers" and f.is_whole and names_identifier(f.name)]
    return next(iter([*texts, *ids]), "")


def counts_upwards(fact: Column) -> bool:
    """Whether the numbers are whole, all different and rise from row to row without wide gaps, as serial numbers do;
    under the name of a row number it is enough that they never fall."""
    n, values = len(fact.cells), fact.numbers.values
    if n < _FEWEST_COUNTED or fact.n_missing or fact.odd.any() or _names("time", fact.name):
        return False
    steps = np.diff(values)
    if fact.name.strip().lower() in COUNTER_NAMES and fact.n_values > n / 3:  # twins may share a row number
        return bool((steps >= 0).all()) and fact.is_whole
    if fact.n_values < n:
        return False
    return bool((steps > 0).all()) and fact.is_whole and bool(np.ptp(values) < _WIDEST_COUNT * n)


def _rises_mostly(fact: Column) -> bool:
    """Whether whole numbers, all different, rise in nearly all rows without wide gaps."""
    values = fact.numbers.values
    if not fact.is_whole or len(values) < _FEWEST_COUNTED or fact.n_values < len(values) or _names("time", fact.name):
        return False
    return bool((np.diff(values) > 0).mean() > _RISES and np.ptp(values) < _WIDEST_COUNT * len(values))


def _names_the_rows(fact: Column, is_first: bool) -> bool:
    """Whether large whole numbers, nearly all different, identify rows: in a first column without a name, or where all
    have equally many digits and are too long for a measurement or spread evenly, without a taste for round ones."""
    n, values = len(fact.cells), fact.numbers.values
    if n < _FEWEST_COUNTED or fact.odd.any() or fact.n_missing or fact.numbers.cleaned.any() or not fact.is_whole:
        return False
    if fact.n_values <= _NEARLY_ALL_CODES * n or values.min() < _SMALLEST_CODE:
        return False
    if _names("time", fact.name) or _names("amount", fact.name):
        return False
    if is_first and fact.name == "column 1":
        return True
    digits = np.floor(np.log10(values))
    if n < _FEWEST_IDS or (digits != np.median(digits)).mean() > 1 - _NEARLY_ALL_CODES:
        return False
    in_order = np.sort(values)
    even = np.abs((in_order - in_order[0]) / np.ptp(in_order) - np.linspace(0, 1, n)).max()
    return bool(
        digits.max() + 1 >= _LONG_CODE or (even < max(_EVEN, 1.2 / np.sqrt(n)) and (values % 10 == 0).mean() < _ROUND)
    )


_LEADING_ZERO = re.compile(r"0\d+")
_FEW_ODD = 0.01
_NEARLY_ALL_NUMBERS = 0.1
_MOST_WORDS = 3
_SHOWN = 3
_MEANS_MISSING = re.compile(
    r"[-<(\[ ]{0,3}(?:unk(?:nown)?|missing|abs(?:ent|\.)?"
    r"|(?:not|never) (?:available|measured|recorded|known|given|applicable|tested|stated|done)"
    r"|no data|none given|n\.? ?/?[ad]\.?|n\.m\.|nil|undefined|undetermined|tbd|pending|error|refused|invalid"
    r"|below detection|bdl|<? ?lod|trace|k\.? ?a\.?|keine angabe|unbekannt|fehlt|inconnu|desconocido|sin dato"
    r"|[-–—~*#.:?x_]+)[->)\] ]{0,3}",
    re.IGNORECASE,
)


_NO_LABEL = re.compile(
    r"unknown|missing|not (?:available|applicable|recorded|known|given|collected|provided|stated|reported|determined)"
    r"|no (?:data|answer|response)|keine angabe|k\. ?a\.|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|nieznan[ye]"
    r"|неизвестно|не указано|нет данных|不明|未知|無回答|알 ?수 ?없음|모름",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OddCells:
    """Cells of a column of numbers that are neither missing nor usable numbers, and what is proposed."""

    column: str
    n: int
    n_present: int  # cells that are not missing
    examples: tuple[tuple[str, int], ...]  # the most frequent odd cells with their counts, in full
    first: str  # the cell on `first_line`
    first_line: int
    what: str  # a key of ODD_CELLS
    ask: bool  # whether the user should decide before anything is trained

    @property
    def are_all_shown(self) -> bool:
        return sum(count for _, count in self.examples) == self.n

    @property
    def sentence(self) -> str:
        """How many cells, the first with its line, and the most frequent with their counts."""
        are = "is not a usable number" if self.n == 1 else "are not usable numbers"
        where = f"line {self.first_line}" if self.n == 1 else f"the first on line {self.first_line}"
        about = f"Column {self.column!r}: {self.n:,} of {self.n_present:,} cells {are}, {where}: {_quoted(self.first)}"
        if len(self.examples) == 1:
            return f"{about} ({self.n:,})." if self.n > 1 else f"{about}."
        shown = [f"{_quoted(cell)} ({count:,})" if count > 1 else _quoted(cell) for cell, count in self.examples]
        return f"{about}. {'All' if self.are_all_shown else 'The most frequent'}: {', '.join(shown)}."


def _quoted(cell: str) -> str:
    return repr(on_one_line(cell)[:60])


def odd_cells_of(fact: Column) -> OddCells | None:
    """The odd cells of a column that is mostly numbers; None where there are none."""
    wrong = fact.odd
    if fact.kind != "numbers" or not wrong.any():
        return None
    levels = fact.levels
    counts = np.bincount(levels.codes[wrong], minlength=len(levels.values))
    order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k]]
    n, n_present = int(wrong.sum()), fact.n_present
    huge = bool((wrong & ~fact.numbers.words).any())  # infinite or too large: never dropped silently
    others = [k for k in order if not _MEANS_MISSING.fullmatch(levels.values[k])]
    n_others, means_missing = int(counts[others].sum()), not others
    few_words = len(order) <= _MOST_WORDS and not any(re.search(r"\d", levels.values[k]) for k in order)
    what, ask = "missing", huge
    if not means_missing and any(_LEADING_ZERO.fullmatch(cell) for cell in levels.values):
        what, ask = "text", False
    elif not (means_missing or n_others <= max(1, _FEW_ODD * n_present)):
        what = "missing" if huge or n_others <= _NEARLY_ALL_NUMBERS * n_present or few_words else "text"
        ask = what == "missing"  # mixed codes are text, as any column of words
    first = int(wrong.argmax())
    examples = tuple((levels.values[k], int(counts[k])) for k in order[:_SHOWN])
    return OddCells(fact.name, n, n_present, examples, fact.cell(first), int(fact.line_numbers[first]), what, ask)
