"""Tables in web pages, LaTeX and Markdown."""

import pytest

from datasets.base.errors import DataError
from datasets.proposals import propose
from datasets.reading import Limits, read_table

N = 12


def page(rows, before="", behind=""):
    cells = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<html><body>{before}<table border=1>\n{cells}\n</table>{behind}</body></html>".encode()


ROWS = [["name", "a", "kind"], *([f"n&amp;{k}", f"{k * k % 7}.5", "uv"[k % 2]] for k in range(N))]


@pytest.mark.parametrize("name", ["t.html", "t.xls", "t.txt"])
def test_the_largest_table_of_a_page_is_read(name):
    small = "<TABLE><tr><td>x</td></tr><tr><td>y</td></tr></TABLE>"
    table = read_table(page(ROWS, small, "<p>the end</p>"), name)
    assert (table.columns, table.n_rows, table.row(3)) == (("name", "a", "kind"), N, ("n&3", "2.5", "v"))
    assert table.line_numbers[0] == 3
    assert table.others == ("1 other table of the page was left out.",)
    assert read_table(page(ROWS), name).others == ()


def test_cells_that_span_rows_or_columns_keep_the_others_in_place():
    head = (
        '<tr><th rowspan=2>site</th><th colspan="2">size</th><th>kind</th></tr><tr><th>a</th><th>b</th><th></th></tr>'
    )
    body = "".join(
        (f'<tr><td rowspan="3">s{k}</td>' if not j else "<tr>")
        + f"<td>{k}.{j}</td><td>{k * j}<br>7</td><td>{'uvw'[j]}</td></tr>"
        for k in range(5)
        for j in range(3)
    )
    table = read_table(f"<!DOCTYPE html><table>{head}{body}</table>".encode(), "t.html")
    assert table.column("site")[:4] == ["s0", "s0", "s0", "s1"]
    assert table.row(4) == ("s1", "1.1", "1 7", "v")
    assert [name.split()[-1] for name in table.columns] == ["site", "a", "b", "kind"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('<span aria-hidden="true">24</span><span class="visually-hidden">24 <span>of</span> May</span>', "24"),
        ('<span>Mo</span><span class="picker__vhidden">Monday</span>', "Mo"),
        ('<b style="display: none">007</b>7', "7"),
        ("<style>td { color: red }</style>7<script>x()</script>", "7"),
        ('<input hidden=""><i hidden>no</i>7', "7"),
        ("<div>wet</div><div>cold</div>", "wet cold"),
        ("<p>wet<p>cold", "wet cold"),
        ('<a href="x">Ada</a><a href="y">Max</a>', "Ada Max"),
        ("H<sub>2</sub>O <span>Qu</span><span>ercus</span>", "H2O Quercus"),
        ('<span class="hidden-xs">7</span>', "7"),
    ],
)
def test_cells_hold_what_is_shown_with_a_blank_between_its_lines(cell, text):
    rows = [["name", "a", "kind"], *([k, k * k % 7, cell] for k in range(N))]
    assert read_table(page(rows), "t.html").column("kind") == [text] * N


def test_unclosed_cells_and_the_xml_of_spreadsheets_are_read():
    rows = "".join(f"<tr><td>{a}<td>{b}<td>{c}" for a, b, c in ROWS)
    assert read_table(f"<table>{rows}</table>".encode(), "t.htm").row(3) == ("n&3", "2.5", "v")
    cells = "".join(
        "<Row>" + "".join(f'<Cell><Data ss:Type="String">{cell}</Data></Cell>' for cell in row) + "</Row>"
        for row in ROWS
    )
    xml = f'<?xml version="1.0"?><Workbook><Worksheet ss:Name="a"><Table>{cells}</Table></Worksheet></Workbook>'
    assert read_table(xml.encode(), "t.xls").row(3) == ("n&3", "2.5", "v")


def test_pages_without_a_table_or_with_too_large_a_one_are_refused():
    with pytest.raises(DataError, match="is a web page without a table; open it in a spreadsheet program"):
        read_table(b"<html><table><tr><td>one</td></tr></table></html>", "t.html")
    with pytest.raises(DataError, match="holds a table of 13 x 3 cells"):
        read_table(page(ROWS), "t.html", limits=Limits(cells=38))
    assert read_table(page(ROWS), "t.html", limits=Limits(cells=39)).n_rows == N


GAP = r"\nodata"
LATEX = [
    r"\begin{table} % of stars",
    r"\caption{Stars & planets \\ of the north}",
    r"\begin{tabular}{lrrl}",
    r"\toprule",
    r"Name & \textbf{Mass} ($M_\odot$) & $R$ & Type \\ \midrule",
    *(rf"HD~{k} & ${k}.5\pm0.1$ & {GAP if k == 3 else k * k % 7} & {'GK'[k % 2]} \\" for k in range(N)),
    r"\multicolumn{4}{c}{Halo \& bulge} \\",
    r"\bottomrule",
    r"\end{tabular}",
]


def test_the_rows_of_a_latex_table_are_read():
    table = read_table("\n".join(LATEX).encode(), "t.tex")
    assert table.columns == ("Name", "Mass (M_ )", "R", "Type")
    assert table.row(3) == ("HD 3", "3.5", "", "K")
    assert table.line_numbers[0] == 6
    assert "The rows are those of a LaTeX table; errors behind ± were left out." in table.notes
    assert table.row(N)[0] == "Halo & bulge"


def test_a_row_over_several_lines_of_latex_is_one():
    lines = [
        r"\begin{deluxetable}{ll}",
        r"\tablehead{\colhead{Name} & \colhead{a}",
        r"& \colhead{Type}}",
        r"\startdata",
    ]
    lines += [line for k in range(N) for line in (f"n{k} & {k}.5", rf"& {'uv'[k % 2]} \\")]
    table = read_table("\n".join([*lines, r"\enddata"]).encode(), "t.tex")
    assert (table.columns, table.n_rows, table.row(2)) == (("Name", "a", "Type"), N, ("n2", "2.5", "u"))


def test_text_around_the_tables_of_a_markdown_file_is_left_out():
    rows = [f"| m{k} | {k}.5 | {'uv'[k % 2]} |" for k in range(N)]
    lines = [
        "# Results, and more",
        "",
        "Some words here, and others.",
        "",
        "| name | a | kind |",
        "|:--|--:|:-:|",
        *rows,
    ]
    table = read_table("\n".join([*lines, "", "More text, too."]).encode(), "t.md")
    assert (table.columns, table.n_rows, table.row(2)) == (("name", "a", "kind"), N, ("m2", "2.5", "u"))
    assert "3 lines of text were left out." in table.notes
    assert propose(table).groups == ()
    other = ["", "| q | w | e | r |", "|---|---|---|---|", "| 1 | 2 | 3 | 4 |", "| 2 | 2 | 3 | 4 |"]
    table = read_table("\n".join([*lines, *other]).encode(), "t.md")
    assert (table.n_rows, len(table.sheets)) == (N, 2)


def test_bold_cells_of_markdown_are_read_as_they_are_shown_and_stars_behind_numbers_stay():
    rows = [f"| **{k * k}.5** | {k} ** 2 | {k}** | {'xy'[k % 2]} |" for k in range(9)]
    table = read_table("\n".join(["| **a** | b | c | kind |", "|---|---|---|---|", *rows]).encode(), "t.md")
    assert table.columns == ("a", "b", "c", "kind")
    assert table.row(3) == ("9.5", "3 ** 2", "3**", "y")


def test_a_table_drawn_with_lines_loses_them():
    rule = "+------+-----+------+"
    rows = [f"| m{k:3d} | {k}.5 | {'uv'[k % 2]}    |" for k in range(8)]
    table = read_table("\n".join([rule, "| name | a   | kind |", rule, *rows, rule]).encode(), "t.txt")
    assert (table.columns, table.n_rows, table.row(2)) == (("name", "a", "kind"), 8, ("m  2", "2.5", "u"))


@pytest.mark.parametrize("name", ["tabular", "smalltabular", "deluxetable*", "longtable"])
def test_a_latex_table_in_an_environment_of_the_authors_own_is_read(name):
    rows = "\n".join(" & ".join(row) + r" \\" for row in ROWS)
    text = f"\\begin{{{name}}}{{lcc}}\n\\hline\n{rows}\n\\end{{{name}}}\n".replace("&amp;", "")
    assert read_table(text.encode(), "t.tex").row(3) == ("n3", "2.5", "v")


def test_spans_that_say_nothing_count_as_one_and_long_ones_end_where_they_say():
    body = "".join(
        ("<tr>" if k % 4 else f'<tr><td rowspan="4">s{k // 4}</td>')
        + f'<td colspan="*">{k}.5</td><td>{"uv"[k % 2]}</td>'
        for k in range(16)
    )
    text = f"<table><tr><td>site</td><td>a</td><td>kind</td></tr>{body}</table>"
    table = read_table(text.encode(), "t.html")
    assert [table.row(k) for k in (3, 4)] == [("s0", "3.5", "v"), ("s1", "4.5", "u")]


def test_cells_of_latex_over_two_columns_and_dashes_for_gaps_keep_the_others_in_place():
    rows = [rf"n{k} & {'--' if k == 2 else k} & {k}.5 & {'uv'[k % 2]} \\" for k in range(5)]
    rows[3] = r"n3 & \multicolumn{2}{c}{none} & v \\"
    lines = [r"\begin{tabular}{lccc}", r"name & a & b & kind \\", *rows, r"\end{tabular}"]
    table = read_table("\n".join(lines).encode(), "t.tex")
    assert (table.row(2), table.row(3)) == (("n2", "", "2.5", "u"), ("n3", "none", "", "v"))
    assert table.notes[0].startswith("The rows are those of a LaTeX table")
    few = read_table("\n".join([*lines[:5], lines[-1]]).encode(), "t.tex")
    assert not any("LaTeX" in note for note in few.notes)


def test_xml_that_holds_no_table_is_called_no_web_page():
    page = b"<?xml version='1.0'?><model name='a'><table name='b'></table><size>3</size></model>"
    with pytest.raises(DataError, match="is XML without a table or a list of records; save these as CSV"):
        read_table(page, "t.xml")


def test_a_blank_first_cell_among_pipes_is_no_border():
    rows = [f"s{k}|{k}.5|{k * k % 7}" for k in range(9)]
    table = read_table("\n".join(["star|flux|age", " |mJy|yr", "---|-----|---", *rows]).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("star", "flux mJy", "age yr"), 9)


@pytest.mark.parametrize(
    ("more", "columns"),
    [
        ("", ("No", "mass kg", "depth (m)", "kind")),
        ('<FIELD name="age"/>', None),  # names of more columns than there are
    ],
)
def test_fields_of_a_votable_name_its_columns_and_tell_gaps(more, columns):
    fields = '<FIELD name="No"/><FIELD ID="x" name="mass" unit="kg"><VALUES null="-9"/></FIELD>'
    fields += f'<FIELD name="depth (m)" unit="m"/><FIELD ID="kind">{more}</FIELD>'
    rows = [[k, -9 if k % 4 == 1 else k / 2, -9, f"<![CDATA[<{'uv'[k % 2]}>]]>"] for k in range(9)]
    cells = "".join(f"<TR>{''.join(f'<TD> {cell} </TD>' for cell in row)}</TR>" for row in rows)
    other = '<TABLE><FIELD name="a"/><DATA><TR><TD>1</TD></TR><TR><TD>2</TD></TR></DATA></TABLE>'
    xml = f"<?xml version='1.0'?><VOTABLE>{other}<TABLE>{fields}<DATA>{cells}</DATA></TABLE></VOTABLE>"
    table = read_table(xml.encode(), "t.xml")
    assert table.row(1) == ("1", "" if columns else "-9", "-9", "<v>")
    assert table.columns == (columns or tuple(f"column {k}" for k in range(1, 5)))
    assert any("holds data, not names" in note for note in table.notes) == (columns is None)
