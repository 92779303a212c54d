"""Cells that hold several values: lists of answers, pairs of numbers such as coordinates, numbers in a fixed text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

import numpy as np

from datasets.reading.numerals import looks_like_a_number
from datasets.reading.table import is_missing

_SURELY = re.compile(r" \| ")  # as lists of words in JSON are joined
_SIGN = re.compile("[#|]")
_BETWEEN_ANSWERS = (_SURELY, _SIGN, re.compile(r";(?![^()]*\))"), re.compile(r",(?![^()]*\))"))
_MOST_ANSWERS, _FEWEST_OF_AN_ANSWER = 20, 4  # columns; rows
_MOST_OF_LISTS = 0.8  # share of the answers that is often given, and that stands in several lists
_SOME_OF_SURE_LISTS = 0.3  # share of the answers of these that is often given
_SOME_LISTS = 0.2  # share of the cells that hold several answers
_PAIR = re.compile(r"(?:POINT ?)?[(\[]? *(-?\d{1,3}\.\d+) *[,; ] *(-?\d{1,3}\.\d+) *[)\]]?")
_OVER = re.compile(r"(\d{1,3}) ?/ ?(\d{1,3})")  # "118/74", as blood pressure is written
_TWICE = re.compile(r"(\S+) ?[/,;] ?\1")
_LAST_DAY = 31
_LEADING_ZERO = re.compile(r"0\d")
_MOST_PAIRS = 0.95  # share of the cells
_NUMBER, _PLACE = re.compile(r"(?:(?<![^\s(\[])-)?\d+(?:\.\d+)?"), "\0"  # "0-5" are two without a sign
_FEWEST_WORDS, _FEWEST_TEXTS, _LOOKED_AT = 5, 10, 200  # with the numbers among them; different cells; of these


def answers_in(cells: Sequence[str], counts: Sequence[int]) -> dict[str, np.ndarray]:
    """Which of the different `cells` hold each answer, bool (n_cells,), where they are lists of few answers, as to a
    question of which several could be ticked; the most frequent of these, else none. `counts` are the rows of each.

    Answers of other questions hold commas too: those of lists stand in several lists.
    """
    for mark in _BETWEEN_ANSWERS:
        n_rows, n_lists, written = Counter[str](), Counter[str](), dict[str, Counter[str]]()
        lists = []
        split = [[part for part in map(str.strip, mark.split(cell)) if part] for cell in cells]
        behind = [part for parts in split for part in parts[1:]]
        own = {part.casefold() for part in chain.from_iterable(split) if part[0].isupper()}
        own.update(parts[0].casefold() for parts in split if parts)
        are_capital = sum(part[0].isupper() for part in behind) >= _SOME_LISTS * len(behind)
        goes_on = mark not in (_SURELY, _SIGN) and are_capital  # no sentence goes on behind these
        for found, count in zip(split, counts, strict=True):
            parts = {part.casefold(): part for part in (_with_rest(found, own) if goes_on else found)}
            lists.append(parts)
            n_rows.update(dict.fromkeys(parts, count))
            n_lists.update(parts.keys())
            for key, part in parts.items():
                written.setdefault(key, Counter())[part] += count
        often = [key for key, n in n_rows.most_common(_MOST_ANSWERS) if n >= _FEWEST_OF_AN_ANSWER]
        most = _SOME_OF_SURE_LISTS if mark is _SURELY else _MOST_OF_LISTS
        several = sum(count for parts, count in zip(lists, counts, strict=True) if len(parts) > 1)
        # Most may answer that the question is none for them.
        single = [count for parts, count in zip(lists, counts, strict=True) if len(parts) == 1]
        are_answers = (
            several >= _SOME_LISTS * (several + sum(single) - max(single, default=0))
            and 1 < len(often) < len(lists)
            and sum(n_rows[key] for key in often) >= most * n_rows.total()
            and sum(n_lists[key] > 1 for key in often) >= _MOST_OF_LISTS * len(often)
        )
        if are_answers and not any(map(looks_like_a_number, often)):
            together: dict[bytes, list[str]] = {}  # "On foot, or by bike" is one answer
            for key in sorted(often, key=list(written).index):
                together.setdefault(bytes(key in parts for parts in lists), []).append(
                    written[key].most_common(1)[0][0]
                )
            if len(together) > 1:  # else pieces of one sentence
                return {", ".join(answers): np.frombuffer(held, dtype=bool) for held, answers in together.items()}
    return {}


def _with_rest(parts: Sequence[str], own: Collection[str]) -> list[str]:
    """The answers where these begin with a capital: what goes on in a small letter, and is none of its `own`, belongs
    to the one before, as in "Friends, whom I know, Blogs"."""
    joined = list[str]()
    for part in parts:
        if joined and part[0].islower() and part.casefold() not in own:
            joined[-1] += f", {part}"
        else:
            joined.append(part)
    return joined


def pairs_in(cells: Sequence[str]) -> list[tuple[str, str]]:
    """The two numbers of each cell, blank where it holds none, if nearly all hold two, as "48.85, 2.35" or "118/74",
    or two gaps, as "NA/NA"; else []. Half of those with a stroke hold a number that is no day of a month."""
    n_cells = sum(not is_gap_of_pairs(cell) for cell in cells)
    for form in (_PAIR, _OVER):
        pairs = [(match[1], match[2]) if (match := form.fullmatch(cell)) else ("", "") for cell in cells]
        found = [pair for pair in pairs if pair[0]]
        if not found or len(found) < _MOST_PAIRS * n_cells:
            continue
        if any(_LEADING_ZERO.match(number) for pair in found for number in pair):
            return []  # codes such as 21/020
        no_dates = sum(max(map(float, pair)) > _LAST_DAY for pair in found)
        return pairs if form is _PAIR or 2 * no_dates >= len(found) else []
    return []


def is_gap_of_pairs(cell: str) -> bool:
    """Whether the cell is blank or holds two gaps."""
    gaps = _TWICE.fullmatch(cell)
    return not cell or (gaps is not None and is_missing(gaps[1]))


def numbers_in(cells: Sequence[str]) -> list[tuple[str, ...]]:
    """The two or more numbers of each cell, blank where it has another form, if nearly all begin with the same words
    around their numbers, as "56 cm x 0-5 m, nummer: 1"; else []."""
    forms = Counter(_NUMBER.sub(_PLACE, cell) for cell in cells[:_LOOKED_AT] if cell)
    form = max(forms, key=forms.__getitem__, default="")
    n_numbers = form.count(_PLACE)
    if n_numbers < 2 or len(form.split()) < _FEWEST_WORDS or not any(map(str.isalpha, form)):
        return []
    pattern = re.compile(f"({_NUMBER.pattern})".join(map(re.escape, form.split(_PLACE))))
    found = [match.groups() if (match := pattern.match(cell)) else ("",) * n_numbers for cell in cells]
    known = [numbers for numbers in found if numbers[0]]
    is_code = any(_LEADING_ZERO.match(number) for numbers in known for number in numbers)
    return found if len(known) >= max(_FEWEST_TEXTS, _MOST_PAIRS * sum(map(bool, cells))) and not is_code else []


def lines_in(cells: Sequence[str]) -> list[tuple[str, ...]]:
    """The lines of each cell, blank where it holds another number of them, if nearly all hold as many, two or more, and
    those of one place are a few words, as name, party and country below each other; else []."""
    parts = [tuple(line.strip() for line in cell.splitlines()) for cell in cells]
    known = [lines for lines in parts if lines]
    n_lines, n = max(Counter(map(len, known)).items(), key=lambda item: item[1], default=(0, 0))
    if n_lines < 2 or n < max(_FEWEST_TEXTS, _MOST_PAIRS * len(known)):
        return []
    own = [lines for lines in known if len(lines) == n_lines]
    repeats = any(2 <= len(set(lines)) <= len(own) / 2 for lines in zip(*own, strict=True))
    return [lines if len(lines) == n_lines else ("",) * n_lines for lines in parts] if repeats else []


_RANKS = dict(
    zip("dkpcofgs", ["domain", "kingdom", "phylum", "class", "order", "family", "genus", "species"], strict=True)
)
_RANK = re.compile(r"(?:([dkpcofgs])|D_([0-6]))__ ?(.*)")
_MOST_LINEAGES, _FEWEST_RANKS = 0.8, 3  # share of the cells


def lineages_in(cells: Sequence[str]) -> dict[str, list[str]]:
    """What each cell says at each rank, blank where nothing, where nearly all are lineages such as
    "k__Fungi; p__Ascomycota; c__Dothideomycetes" and "D_0__Bacteria;D_1__Firmicutes;D_2__Bacilli"; else {}."""
    if not cells or not any(_RANK.match(cell) for cell in cells[:_LOOKED_AT]):
        return {}
    parts = [[match for part in re.split("[;|]", cell) if (match := _RANK.fullmatch(part.strip()))] for cell in cells]
    found = [{_RANKS[match[1] or "dpcofgs"[int(match[2])]]: match[3].strip() for match in each} for each in parts]
    if sum(len(each) >= _FEWEST_RANKS for each in found) < _MOST_LINEAGES * sum(map(bool, cells)):
        return {}
    told = {rank: [each.get(rank, "") for each in found] for rank in _RANKS.values()}
    return {rank: values for rank, values in told.items() if any(values)}
