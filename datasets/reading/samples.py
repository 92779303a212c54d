"""Samples in columns: where they stand, which column names the rows, and the groups that they belong to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from os.path import commonprefix
from string import ascii_letters

from datasets.base.months import MONTHS
from datasets.base.words import first_few

Row = tuple[str, ...]
_MOST_GROUPS, _MANY_OF_EACH = 40, 25  # rows
_UNEVEN = 10  # times as many in the largest group: names of genes hold letters, too
_NUMBER_AHEAD = re.compile(r"^\d+(?=[^\W\d])")
_DIGITS, _INNER_DIGITS = re.compile(r"\d+"), re.compile(r"(?<=\D)\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBER_AND_LETTERS = re.compile(r"\d{1,2}[A-Za-z]{2,6}")
_NUMBER_BEHIND = re.compile(  # "wt_1", "wt1b", "core-13.5"
    r"(?:[\s_\-]+\d+\.\d+|[\s_.\-]*(?:\d+[a-e]?|\(\d+\)))$"
)
_NO_NAME = re.compile(r"column \d+")
_GOES_ON = re.compile(r"([^\W\d_]{2,})\d+(?:[A-Za-z]|\([^()]*\))")
STATISTIC = re.compile(  # of a feature over all samples, as tests of expression write them beside their counts
    r"(?:log_?2?[ _.]?)?(?:fc|fold[ _.]?change)|(?:adj[ _.]?)?[pq][ _.-]?val(?:ue)?s?|p[ _.]?adj|fdr|basemean|lfcse"
    r"|length|(?:razor|unique|total|number of).*peptide|.*peptides|sequence[ _.]coverage.*|score|psms?"
    r"|mol\.?[ _.]?weight.*|sig(?:nificant|nificance)?\b.*|chr(?:om(?:osome)?)?|strand|start|end|stop"
    r"|(?:calc|row|average|precursor)?[ _.]?(?:m[/. ]?z|rt|retention[ _.]?time)(?:[ _.]*\(?(?:min|s|sec)\)?\.?)?"
    r"|intensity",
    re.IGNORECASE,
)
OF_NAMES = re.compile(r"(?:group|part \d+) read from (.+)", re.DOTALL)  # names of the rows
FEATURES = re.compile(  # what the rows are called where samples stand in columns
    r"(?:.*[\W_])?(?:genes?|proteins?|compounds?|metabolites?|lipids?|probes?(?:set)?|z?otus?|asvs?|tax(?:on|a)|features?"
    r"|hash(?:es)?|pubchem|hmdb|chebi|entrez|peptides?|transcripts?|ensembl|accessions?|analytes?|mirnas?|cpgs?|ref)"
    r"(?:[\W_]*(?:ids?|ions?|names?|symbols?))?",
    re.IGNORECASE,
)
_CLEARLY_FEWER, _FEW_SINGLE = 0.8, 0.05  # of the names
_USUAL, _APART = 0.75, "\0"  # share of the names; before the groups of others
_NO_LETTER = re.compile(r"[\W_]")
# "0.1" is one part, "J1920+1040" are two.
_BETWEEN_PARTS = re.compile(r"(?:[\s_\-]|(?<!\d)\.|\.(?!\d)|(?<=\d)[+\u2212\u2013](?=\d))+")
_COPY, _FEWEST_COPIES = re.compile(r" \(\d+\)$"), 3  # of a name that stands several times
_KEY = re.compile(r"([^:=]+?)\s*[:=]\s*(.+)")
_WELL = re.compile(r"[A-P](?:0?[1-9]|1\d|2[0-4])")  # of a plate
_ACCESSION = re.compile(r"(?:[OPQ]\d[A-Z\d]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z\d]{2}\d){1,2})(?:[-;].*)?")  # of UniProt
_NUMBERED_WELL = re.compile(r"[\W\d]+([A-P]\d{1,2})\W*")  # "1(1,A1)"
# As programs of proteomics write them before or behind the name of each sample, the best first.
_QUANTITIES = [
    re.compile(rf"^{words}[ .:_]|[ .:_]{words}$", re.IGNORECASE)
    for words in (
        *(
            "lfq[ .]intensity",
            "maxlfq[ .]intensity",
            "abundances? \\((?:normali[sz]ed|scaled)\\)",
            "normali[sz]ed[ .]abundance",
        ),
        *("reporter[ .]intensity[ .]corrected", "abundances?", "intensity", "ibaq", "(?:pg\\.)?quantity", "area"),
        *("tpm", "fpkm", "rpkm", "raw[ .]abundance"),
    )
]
_DIFFER = 0.9  # different cells, for each number
_FEWEST_CURVES, _FEWEST_POINTS = 3, 20
_FEWEST_WELLS, _FEWEST_DESCRIBED = 12, 6
FEWEST_BETWEEN = 10  # samples between descriptions of the rows
_NO_GROUPS = re.compile(  # of columns: units, statistics and types; a letter alone may be a group
    r"%|°[CF]?|deg(?:ree)?s?\.?(?: ?[CF])?"
    r"|(?-i:[kcmµunM](?:[glmsVAWJ]|Hz|Pa|mol|bar))(?:[/*·^]?\w{1,4}[²³]?)?|[^\W\d]/\w+"
    r"|avg|smp|min|max|mean|std|sd|sum|tot(?:al)?|int(?:eger)?|float|double|numeric|string|char(?:acter)?"
    r"|bool(?:ean)?|text|date",
    re.IGNORECASE,
)


def samples_in_columns(
    columns: Sequence[str], numeric: Sequence[bool], n_values: Callable[[str], int], header: Sequence[Row]
) -> tuple[str, int, int]:
    """(the column that names the rows, the place of the first sample, the one behind the last) if columns are samples.

    Samples stand below a line of the header that describes each of them, or are called as wells are. Else they stand
    from the first column of numbers behind the first column to the last one, behind words that stand among these, or
    between such words where more numbers do. The most different column before them names the rows, one of words unless
    the first column holds some.

    numeric: whether a column holds numbers, and no statistics.
    n_values: of a column, how many different cells it has.
    header: the lines above the rows, with a cell for each column.
    """
    described = [place for line in header if (place := described_samples(line))]
    wells = wells_in((columns, *header))
    if described or wells:
        begin, end = _around(described) if described else (wells[0], wells[-1] + 1)
        begin = next((k for k in range(begin, end) if numeric[k]), begin)  # behind descriptions of the rows
        return max(columns[: max(1, begin)], key=n_values), max(1, begin), end
    found = _of_one_quantity(columns, [k for k, is_numeric in enumerate(numeric) if is_numeric and k])
    if not found:
        return columns[0], 1, len(columns)
    begin, end = found[0], found[-1] + 1
    words = [k for k in range(begin, end) if not numeric[k]]
    behind = sum(numeric[words[-1] :]) if words else 0
    a, b = max(pairwise([begin - 1, *words, end]), key=lambda run: run[1] - run[0])
    is_between = b < end and b - a > max(FEWEST_BETWEEN, behind)
    if words and not is_between and (numeric[0] or behind >= _FEWEST_DESCRIBED):
        begin = words[-1] + 1
    elif is_between:
        begin, end = a + 1, b
    words = [k for k in range(begin) if not numeric[k] and not STATISTIC.fullmatch(columns[k])]
    first = max((columns[k] for k in words or [0]), key=n_values)
    # Numbers name the rows where no words differ as they do.
    return columns[0] if numeric[0] and n_values(first) < _DIFFER * n_values(columns[0]) else first, begin, end


def numeric_columns(numbers: Sequence[bool], blank: Sequence[bool]) -> list[bool]:
    """Whether a column holds numbers, or nothing between others that do: a sample that was not measured."""
    places = [k for k, holds in enumerate(numbers) if holds] or [0]
    inside = range(places[0], places[-1])
    return [holds or (none and k in inside) for k, (holds, none) in enumerate(zip(numbers, blank, strict=True))]


def repeated_axes(columns: Sequence[Sequence[str]]) -> list[int]:
    """Every second column, where these repeat the first one, whose cells all differ, as spectrometers write x before
    each y; else []."""
    axes = [[cell for cell in column if cell] for column in columns[::2]]
    is_axis = len(axes) >= _FEWEST_CURVES and len(axes[0]) >= _FEWEST_POINTS and len(set(axes[0])) == len(axes[0])
    alike = all(len(x) >= _FEWEST_POINTS and x[: len(axes[0])] == axes[0][: len(x)] for x in axes)
    differ = any(list(y) != list(columns[0]) for y in columns[1::2])
    return list(range(2, len(columns), 2)) if is_axis and alike and differ and len(columns) % 2 == 0 else []


def _of_one_quantity(columns: Sequence[str], numbers: Sequence[int]) -> Sequence[int]:
    """Of the columns of numbers those of the first quantity that is there for several samples, as "LFQ intensity"
    beside "Intensity"; all where names tell none."""
    for quantity in _QUANTITIES:
        found = [k for k in numbers if quantity.search(columns[k])]
        if _FEWEST_DESCRIBED <= len(found) == found[-1] - found[0] + 1:
            return found
    return numbers


def are_of_one_quantity(columns: Sequence[str]) -> bool:
    """Whether all are columns of one quantity, as programs of proteomics name them for each sample."""
    return any(all(map(quantity.search, columns)) for quantity in _QUANTITIES)


def wells_in(lines: Sequence[Sequence[str]]) -> list[int]:
    """The places of the wells in the first of the lines that names some in most of its cells; else []."""
    for line in lines:
        places = [k for k, name in enumerate(line) if _WELL.fullmatch(name)]
        if 2 * len(places) >= len(line) and are_wells([line[k] for k in places]):
            return places
    return []


def are_wells(names: Sequence[str]) -> bool:
    """Whether all are names of wells in several rows of a plate, as A1 to H12."""
    return len(names) >= _FEWEST_WELLS and all(map(_WELL.fullmatch, names)) and len({name[0] for name in names}) > 1


def described_samples(line: Row) -> tuple[int, int] | None:
    """(the place of the first sample, the one behind the last) in a line that says of each sample which group it
    belongs to, behind blanks and at most one cell for what it tells; None of any other line."""
    filled = [k for k, cell in enumerate(line) if cell]
    begin = end = filled[-1] + 1 if filled else 0
    while begin and line[begin - 1]:
        begin -= 1
    n_ahead = sum(k < begin for k in filled)
    if not n_ahead and line[begin : begin + 1] and line[begin] not in line[begin + 1 : end]:
        begin += 1  # the name of the line stands right before the first sample
    groups = line[begin:end]
    return (begin, end) if n_ahead <= 1 and len(groups) >= _FEWEST_DESCRIBED and _tell_groups(groups) else None


def _tell_groups(cells: Sequence[str]) -> bool:
    """Whether cells above columns say which group each belongs to: words that repeat, but no units."""
    words = set(cells)
    no_groups = sum(_NO_GROUPS.fullmatch(word) is not None for word in words)
    return 1 < len(words) <= len(cells) / 2 and 2 * no_groups < len(words) and "" not in words


def lines_about_samples(above: Sequence[Row], columns: Row) -> tuple[list[Row], list[str], Row]:
    """The rows above the names that describe samples, as wide as the table, a note on them, and the names of the
    columns: those of samples stand above, too, where all have one name below, such as "Peak height", or none."""
    wide = [(*row, *[""] * (len(columns) - len(row))) for row in above if len(row) <= len(columns)]
    found = [(row, place) for row in wide if (place := described_samples(row))]
    if not found:
        return [], [], columns
    told = first_few([repr(_name_of(row, begin)) for row, (begin, _) in found])
    note = f"Lines above the names describe samples; transposed, the table has a column for each: {told}."
    begin, end = _around([place for _, place in found])
    stems = [_COPY.sub("", _NO_NAME.sub("", name)) for name in columns]
    are_copies = len(set(stems[begin:end])) == 1
    end = max(k for k, stem in enumerate(stems, 1) if stem == stems[begin])
    named = [row for row in wide if are_copies and all(row[begin:end]) and len(set(row[begin:end])) == end - begin][:1]
    for row in named:
        columns = (*columns[:begin], *row[begin:end], *columns[end:])
    return [*(row for row, _ in found), *named], [note], columns


def _around(places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """From the first sample to the last one of any line: some are blank for the last samples, and the names of columns
    may be words ahead of them."""
    return max(begin for begin, _ in places), max(end for _, end in places)


def _name_of(line: Row, begin: int) -> str:
    """What a line tells of the samples, as it says before the first one."""
    return next(filter(None, line[:begin]), "").lstrip("!#% ") or "group"


def common_key(cells: Sequence[str]) -> tuple[str, list[str]]:
    """ "tissue" and the others' ends, of cells such as "tissue: liver" that all name it; else "" and the cells."""
    keyed = [_KEY.fullmatch(cell) for cell in cells if cell]
    if not keyed or len({match and match[1] for match in keyed}) > 1 or keyed[0] is None:
        return "", list(cells)
    return keyed[0][1], [match[2] if (match := _KEY.fullmatch(cell)) else "" for cell in cells]


def groups_above(header: Sequence[Row], names: Sequence[str], begin: int, end: int) -> list[tuple[str, list[str]]]:
    """(name, the group of each) of the columns from `begin` up to `end`, of each header line that groups them; a cell
    of it stands for the blank ones behind it, too, unless cells are repeated. Without such lines, of their `names`."""
    found = []
    for line in header:
        groups: list[str] = []
        is_repeated = any(one == other != "" for one, other in pairwise(line[begin:end]))
        for cell in line[begin:end]:
            groups.append(cell or (groups[-1] if groups and not is_repeated else ""))
        if _tell_groups([group for group in groups if group or not is_repeated]):
            key, groups = common_key(groups)
            found.append((key or _name_of(line, begin), groups))
    return found or groups_in_names(names, "sample")


def groups_of(names: Sequence[str]) -> list[str]:
    """The words before the numbers at the ends of names, such as tumour_1 and normal_2, where they repeat; else []."""
    words = _without_numbers(names)
    sizes = Counter(words)
    repeat = len(sizes) <= min(_MOST_GROUPS, len(words) / 2) and sum(n > 1 for n in sizes.values()) > 1
    return words if repeat and "" not in sizes else []


def _without_numbers(names: Sequence[str]) -> list[str]:
    """The names without the numbers behind them; the letters of the few whose number goes on, as "FSS19F" among
    "FSS12", which are of the same group."""
    words = [_NUMBER_BEHIND.sub("", name) or name for name in names]
    goes_on = [_GOES_ON.fullmatch(word) for word in words]
    if 2 * sum(map(bool, goes_on)) >= len(names):
        return words
    return [match[1] if match else word for match, word in zip(goes_on, words, strict=True)]


def names_written_again(names: Sequence[str]) -> list[str]:
    """The names as the file has them, where most come again and were given numbers, as replicates; else []."""
    written = [_COPY.sub("", name) for name in names]
    again = 2 <= len(set(written)) <= min(_MOST_GROUPS, len(written) / _FEWEST_COPIES)
    return written if again and len(set(names)) > len(set(written)) else []


def groups_in_names(names: Sequence[str], title: str) -> list[tuple[str, list[str]]]:
    """(name, the group of each) for each part of names such as wt_a_1 that repeats; without any, for the words before
    numbers; of paths the last part is the name. Accessions tell none. `title` is what the column of names is called."""
    if 0 < sum(not name for name in names) <= _FEW_SINGLE * len(names):  # these are of no group
        filled = {k: place for place, k in enumerate(k for k, name in enumerate(names) if name)}
        inner = groups_in_names([name for name in names if name], title)
        return [(called, [of[filled[k]] if k in filled else "" for k in range(len(names))]) for called, of in inner]
    if sum(_ACCESSION.fullmatch(name) is not None for name in names) > len(names) / 2:
        return []
    wells = [match[1] if (match := _NUMBERED_WELL.fullmatch(name)) else "" for name in names]
    if are_wells(wells):
        return []
    as_written = [as_written] if (as_written := names_written_again(names)) else []
    names = as_written[0] if as_written else names
    if all("/" in name for name in names):
        names = [name.rpartition("/")[2] for name in names]
    shared = commonprefix([name[::-1] for name in names])[::-1]  # noqa: RUF071  (names, not paths)
    end = _NO_LETTER.search(shared)  # as in "wt_1: log2(counts)" of all
    own = [name[: len(name) - len(shared) + end.start()] if end else name for name in names]
    parts = [_BETWEEN_PARTS.split(name.strip(" _.-")) for name in own]
    from_behind = [[part[-k] for part in parts] for k in (1, 2) if all(len(part) >= k for part in parts)]
    usual, n_usual = Counter(map(len, parts)).most_common(1)[0] if parts else (0, 0)
    if sum(len(part) >= usual for part in parts) >= _USUAL * len(parts):  # others, as Blank1, are groups of their own
        apart = [_APART + _NUMBER_BEHIND.sub("", part[0]) for part in parts]
        parts = [[*part, *[name] * (usual - len(part))] for part, name in zip(parts, apart, strict=True)]
    parts = _of_one_length(parts)
    groups: list[list[str]] = as_written
    of_parts = [found for part in zip(*parts, strict=False) for found in _repeating(part)]  # as many as all have
    for found in [*of_parts, *filter(_are_groups, from_behind if n_usual < len(parts) else [])]:
        same = next((k for k, other in enumerate(groups) if _is_same(found, other)), None)
        if same is None:
            groups.append(found)
        elif all(map(str.isdecimal, groups[same])):  # words say more than dates
            groups[same] = found
    whole = groups_of(own)
    if whole and not any(_is_same(whole, group) for group in groups):
        groups.append(whole)  # all of a name but the number of its replicate
    if not groups and own and all(map(_NUMBER_AND_LETTERS.fullmatch, own)):  # "1AGA" of species 1, replicate A
        cut = [name.rstrip(ascii_letters) for name in own], [name[:-1] for name in own]
        groups = [each for each in cut if 2 <= len(set(each)) <= len(own) / 2]
    if not groups and own and all(map(_DIGITS.search, own)) and all(map(_LETTERS.search, own)):
        first = [match[0] for name in own if (match := _LETTERS.search(name))]  # of names of several schemes
        groups = [first] if _are_groups(first) else []
    groups = [_with_one_name_each([word.removeprefix(_APART) for word in group]) for group in groups]
    several = len(groups) > 1
    return [(f"{f'part {k}' if several else 'group'} read from {title}", group) for k, group in enumerate(groups, 1)]


def _with_one_name_each(words: list[str]) -> list[str]:
    """The words; of months in several languages, as "Sep" and "Set", the most frequent name of each."""
    counts = Counter(words)
    months = {word: MONTHS.get(word.lower().strip(". ")) for word in counts}
    if None in months.values():
        return words
    usual = {months[word]: word for word, _ in counts.most_common()[::-1]}
    return [usual[months[word]] for word in words]


def _of_one_length(parts: list[list[str]]) -> list[list[str]]:
    """As many parts of each name as the shortest has, the others left out, or joined at the end where this leaves
    clearly fewer words: "Y023_5", "UV" and "E05", "UV"."""
    n = min(map(len, parts), default=0)
    if n < 2 or all(len(part) == n for part in parts):
        return parts
    ahead = [["_".join(part[: len(part) - n + 1]), *part[len(part) - n + 1 :]] for part in parts]
    behind = [[*part[: n - 1], "_".join(part[n - 1 :])] for part in parts]
    cut = [part[:n] for part in parts]
    n_words = [sum(len(set(words)) for words in zip(*each, strict=True)) for each in (cut, behind, ahead)]
    best = min(range(3), key=n_words.__getitem__)
    return (cut, behind, ahead)[best] if n_words[best] <= _CLEARLY_FEWER * n_words[0] else cut


def _repeating(words: Sequence[str]) -> list[list[str]]:
    """The words without the numbers behind them, and the words, where they are groups; else the words without the
    numbers before them, or without all numbers."""
    behind, ahead = _without_numbers(words), [_NUMBER_AHEAD.sub("", word) for word in words]
    letters = [_DIGITS.sub("", word) for word in words]
    sizes = Counter(letters).values()
    of_letters = [letters] if _are_groups(letters) and max(sizes) <= _UNEVEN * min(sizes) else []
    coarse = [behind] if _are_groups(behind) and not _is_same(behind, words) else []
    fine = [list(words)] if _are_groups(words) else []
    inner = [_INNER_DIGITS.sub("", word) for word in words]  # "2D" and "3D" differ, "C1N" and "C2N" are alike
    if fine and not coarse and of_letters and not _is_same(inner, words):
        coarse = of_letters
    others = [ahead] if _are_groups(ahead) else []
    return [*coarse, *fine] or [*others, *of_letters][:1]


def _are_groups(words: Sequence[str]) -> bool:
    """Whether each word repeats, but for a few such as blanks of an instrument, and they do not count up, as replicates
    do."""
    counts = Counter(words)
    n_single = sum(n == 1 for n in counts.values())
    most = max(_MOST_GROUPS, len(words) // _MANY_OF_EACH)
    if not 2 <= len(counts) - n_single <= most or n_single > _FEW_SINGLE * len(words) or "" in counts:
        return False
    numbers = [int(word) for word in counts if word.isdecimal()]
    n_words = sum(not word.startswith(_APART) for word in counts)
    return len(numbers) < n_words or max(numbers, default=0) - min(numbers, default=0) >= len(numbers)


def _is_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two lists of words group alike."""
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))
