"""Lines with too many cells: all named at once, skipped where that is said, and counted."""

import pytest

from datasets.columns import build_dataset
from datasets.proposals import apply, propose
from datasets.reading import FaultyLinesError, ReadOptions, faulty_lines_question, read_table

LINES = ["a,b,label", *(f"{k},{k * k},{'xy'[k % 2]}" for k in range(20))]


def broken(*places):
    return "\n".join(line + ",more,cells" * (k in places) for k, line in enumerate(LINES)).encode()


def error_of(data, **options) -> FaultyLinesError:
    with pytest.raises(FaultyLinesError) as caught:
        read_table(data, "t.csv", ReadOptions(**options))
    return caught.value


def test_all_are_named_at_once():
    error = error_of(broken(2, 7, 8))
    assert [(line.number, line.n_cells) for line in error.lines] == [(3, 5), (8, 5), (9, 5)]
    assert str(error) == (
        "t.csv, line 3 has 5 columns, the first line has 3; too long are also lines 8 (5), 9 (5). Mend the lines: put "
        "cells that contain the separator in quotes, or skip these 3 lines."
    )
    assert error.lines[0].text == "1 | 1 | y | more | cells"


def test_skipping_is_offered_done_and_counted():
    options = ReadOptions(separator=",")
    question = faulty_lines_question(error_of(broken(2, 7, 8)), options)
    assert question.answers[0].options == ReadOptions(separator=",", faulty_lines="skip")
    table = read_table(broken(2, 7, 8), "t.csv", question.answers[0].options)
    assert table.line_numbers.tolist() == [k + 1 for k in range(1, 21) if k not in (2, 7, 8)]
    assert "3 lines with too many cells were skipped (lines 3, 8, 9)." in table.notes
    assert "skipped" not in " ".join(read_table(broken(), "t.csv", question.answers[0].options).notes)


def test_where_most_lines_are_too_long_the_header_is_wrong():
    data = broken(*range(2, 21))
    error = error_of(data)
    assert not error.can_skip
    assert "skip" not in str(error)
    assert faulty_lines_question(error, ReadOptions()) is None
    assert error_of(data, faulty_lines="skip").n_lines == 19


@pytest.mark.parametrize(("many", "offered"), [(10, True), (11, False)])
def test_half_of_the_lines_may_be_skipped_and_no_more(many, offered):
    assert error_of(broken(*range(1, many + 1))).can_skip is offered


def test_short_lines_that_are_skipped_are_not_counted_as_filled_up():
    rows = "".join(f"{k},{k * k % 7},{'xy'[k % 2]}\n" for k in range(20))
    table = read_table(f"a,b,label\n{rows}3,4\n{rows}a,b,label\nTotal: 40\nby hand\n".encode(), "t.csv")
    plan = apply(propose(table))
    assert plan.proposal.skipped == ("footer", "header")
    notes = build_dataset(plan.table, plan.columns).notes
    assert "1 short line was filled up with missing cells (line 22)." in notes
    kept = apply(plan.proposal, plan.choices.saying("row_groups", "footer", False))
    assert "3 short lines were filled up with missing cells (lines 22, 44, 45)." in kept.table.all_notes


def test_a_second_header_line_that_is_short_is_no_row():
    table = read_table(b"size,size,kind\ncm,cm\n" + b"1,2,x\n3,4,y\n" * 9 + b"5,6\n", "t.csv")
    assert table.detected is not None
    assert table.detected.header_lines == 2
    assert "1 short line was filled up with missing cells (line 21)." in table.all_notes


def test_lines_that_form_no_table_are_not_to_be_mended():
    with pytest.raises(FaultyLinesError, match="Most lines are no rows of one table"):
        read_table(b"A report, no\nof one, two, three\nand one, two, three, four\nor, a, b\nat last\n", "t.txt")


def test_marks_of_footnotes_and_words_between_blanks_are_joined_too():
    rows = [f"{1990 + k},{k * 0.5:.1f},{k * k}" for k in range(20)]
    assert read_table("\n".join([*rows, "2010,7.5,81,*"]).encode(), "t.csv").rows[-1] == ("2010", "7.5", "81*")
    blank = read_table("\n".join([*rows, "2010,7.5,81,,"]).encode(), "t.csv")  # blank cells are no marks
    assert blank.rows[-1] == ("2010", "7.5", "81")
    with pytest.raises(FaultyLinesError):
        read_table("\n".join([*rows, "2010,7.5,81,,9"]).encode(), "t.csv")
    rows = [
        f"bot: 2025/03/{k // 4 + 10} 01:15:0{k // 4} [{'ab'[k % 2] * (k % 5 + 1)}] {'true' if k % 3 else '7'}"
        for k in range(20)
    ]
    table = read_table("\n".join([*rows, "bot: 2025/03/17 01:15:09 [a] map[co2:7 nh3:9]"]).encode(), "t.log")
    assert table.rows[-1] == ("bot:", "2025/03/17", "01:15:09", "[a]", "map[co2:7 nh3:9]")


@pytest.mark.parametrize("separator", [",", "|", ";"])
def test_words_beyond_the_last_name_are_joined_to_free_text_there(separator):
    """As where a message holds the separator; not beside labels that repeat, or where numbers do not stand in place."""

    def lines(*more, text="note {k}"):
        rows = [[f"{k}.5", str(k * k), "xy"[k % 2], text.format(k=k)] for k in range(20)]
        return "\n".join(map(separator.join, (["a", "b", "label", "text"], *rows, *more))).encode()

    table = read_table(lines(["1.5", "2", "x", "so", "and so"]), "t.csv")
    assert table.rows[-1] == ("1.5", "2", "x", f"so{separator} and so")
    said = "1 line has more cells than there are names; those beyond were joined to the last one (line 22)."
    assert said in table.notes
    for more, text in (
        (["1.5", "2", "x", "so", "7"], "note {k}"),
        (["1.5", "two", "2", "x", "so"], "note {k}"),
        (["1.5", "2", "x", "so", "and so"], "note"),
        (["1.5", "2", "x", "so", "and so"], "{k}"),
    ):
        with pytest.raises(FaultyLinesError):
            read_table(lines(more, text=text), "t.csv")


def test_blank_cells_beyond_the_names_of_a_few_lines_are_left_out():
    lines = [line + "\t" * (30 * (k == 9)) for k, line in enumerate(line.replace(",", "\t") for line in LINES)]
    table = read_table("\n".join(lines).encode(), "t.tsv")
    assert (table.n_rows, len(table.columns)) == (20, 3)
    assert "Separators at the ends of lines were left out." in table.notes
