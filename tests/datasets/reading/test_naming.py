"""Names of columns that are joined from several lines."""

import pytest

from datasets.reading import ReadOptions, read_table
from tests.datasets.files import workbook

N = 30


def names(*lines, separator=","):
    rows = [separator.join(f"{k * (j + 7) % 97}.{j}" for j in range(lines[0].count(separator) + 1)) for k in range(N)]
    table = read_table("\n".join([*lines, *rows]).encode(), "t.csv")
    assert table.n_rows == N
    return table.columns


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # several groups, one of them named like its last column
        (("Booth,,Voters,,", "No,Area,Men,Women,Voters"), "Booth No|Booth Area|Voters Men|Voters Women|Voters"),
        # a column below a heading of its own, and one beside the groups
        (("Age,,,Race,,All", "18 - 34,35 - 64,65 on,A,B,"), "Age 18 - 34|Age 35 - 64|Age 65 on|Race A|Race B|All"),
        # what stands below single questions is the same
        (
            ("Sex?,Town?,Pets?,,,Job?", "Response,Response,Dogs,cats,birds,Open"),
            "Sex? Response|Town? Response|Pets? Dogs|cats|birds|Job? Open",
        ),
        (
            ("Sex?,Town?,Pets?,,Cars?,,Job?", "Response,Response,dogs,cats,red,blue,Response"),
            "Sex? Response|Town? Response|Pets? dogs|Pets? cats|Cars? red|Cars? blue|Job? Response",
        ),
        # a question below ends a group
        (
            ("Pets?,,,,Cars?,", "dogs,cats,How old?,alive,red,blue"),
            "Pets? dogs|Pets? cats|How old?|alive|Cars? red|Cars? blue",
        ),
        # a heading of a gap, too, before names that would be equal
        (("Men,,Boys,,", "all,share,all,share,"), "Men all|Men share|Boys all|Boys share|column 5"),
        # two levels of groups
        (
            ("Plots,,,,Pots,", "wet,,dry,,wet,", "mass,size,mass,size,mass,size"),
            "Plots wet mass|Plots wet size|Plots dry mass|Plots dry size|Pots wet mass|Pots wet size",
        ),
    ],
)
def test_headings_of_groups_stand_before_all_of_their_names(lines, expected):
    assert names(*lines) == tuple(expected.split("|"))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # names on two lines
        (("Total,,Number,,Lake", "length,Mass,of eggs,Age,Depth"), "Total length|Mass|Number of eggs|Age|Lake Depth"),
        (("Total,,Number,", "length,Weight,of eggs,Age"), "Total length|Weight|Number of eggs|Age"),
        # units
        (("Depth,Heat,,Mass,Length", "m,K,Signal,kg,mm"), "Depth m|Heat K|Signal|Mass kg|Length mm"),
        # a heading of the first column
        (("Trial,,,", "Plot,Row,Depth,Mass"), "Plot|Row|Depth|Mass"),
        # nothing stands below the heading itself
        (("Site,,,Lake,", ",Lat,Lon,,Area"), "Site|Lat|Lon|Lake|Area"),
    ],
)
def test_other_first_lines_do_not_name_the_columns_beside_them(lines, expected):
    assert names(*lines) == tuple(expected.split("|"))


def test_headings_centred_over_columns_of_fixed_width_stay_where_they_are():
    head = "           Voters               Seats      ", "men        women      all        won        lost"
    rows = [f"{k * 7 % 91:<11}{k * 5 % 83:<11}{k * 11 % 79:<11}{k * 3 % 71:<11}{k * 13 % 67}" for k in range(N)]
    assert read_table("\n".join([*head, *rows]).encode(), "t.txt").columns[:3] == ("men", "Voters women", "all")


N_ASKED = 10
NAMES = ",".join(["When", "Level", "Road", *(f"Light {k}?" for k in range(N_ASKED))])
TIMES = [f"{k + 1:02}/03/2024" for k in range(24)]
ANSWERS = [
    ",".join(
        [time, ["high", "low", "mid"][k % 3], "ox"[k % 2], *("yes" if (k + j) % 3 else "no" for j in range(N_ASKED))]
    )
    for k, time in enumerate(TIMES)
]
BLANK = "," * N_ASKED


@pytest.mark.parametrize(
    "tests",
    [
        ["Test,none,curved" + BLANK] * 2,  # the same line twice
        ["Test,high,x" + BLANK],  # words of their columns
    ],
)
def test_answers_below_the_names_are_rows(tests):
    table = read_table("\n".join([NAMES, *tests, *ANSWERS]).encode(), "t.csv")
    assert (table.columns, table.n_rows) == (tuple(NAMES.split(",")), len(tests) + len(ANSWERS))


@pytest.mark.parametrize(
    "lines",
    [
        [NAMES, "day,class,x" + BLANK],  # one word of its column
        [NAMES, "day,high,shape" + BLANK],
        [NAMES, "day,class,shape" + BLANK, "day,class,shape" + ",word" * N_ASKED],
    ],
)
def test_other_lines_below_the_names_are_names_too(lines):
    table = read_table("\n".join([*lines, *ANSWERS]).encode(), "t.csv")
    assert (table.detected.header_lines, table.n_rows) == (len(lines), len(ANSWERS))


@pytest.mark.parametrize("again", [[NAMES, "day,high,x" + BLANK], []])
def test_words_of_columns_that_hold_no_other_word_are_names_too(again):
    """Such as options that were ticked, and names that are printed again."""
    ticked = [line.replace("low", "").replace("mid", "").replace(",o,", ",,") for line in ANSWERS]
    rows = [*ANSWERS[:9], *again, *ANSWERS * 2] if again else ticked
    table = read_table("\n".join([NAMES, "day,high,x" + BLANK, *rows]).encode(), "t.csv")
    assert (table.detected.header_lines, table.columns[:3]) == (2, ("When day", "Level high", "Road x"))


def test_words_below_blanks_are_names_though_their_columns_hold_them():
    rows = [
        ",".join([f"{k * 7}", *(["high", "low", "mid"][(k * k + j) % 3] for j in range(3)), f"{k}"]) for k in range(N)
    ]
    table = read_table("\n".join(["id,Which one?,,,Age", ",high,low,mid,", *rows]).encode(), "t.csv")
    assert (table.detected.header_lines, table.n_rows) == (2, N)


SKY = [f"{k:>5}{k * 7 % 31 - 9.5:>6}{k * 5 % 37 + 0.25:>7}{k * 3 % 23:>6}" for k in range(101, 131)]


def test_a_row_below_names_of_its_own_ends_above_the_names():
    above = ["@ SITE          LON  ELEV", "  KRND        -99.5  1561"]
    table = read_table("\n".join([*above, "@DAY   HIGH    LOW  RAIN", *SKY]).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("@DAY", "HIGH", "LOW", "RAIN"), 30)
    assert "2 lines above the names were left out, from '@ SITE          LON  ELEV' on." in table.notes


@pytest.mark.parametrize(
    "lines",
    [
        ["@ SITE          LON  ELEV", "  KRND         2020  2021"],  # years
        ["@ SITE    A     LON  ELEV", "  KRND        -99.5  1561"],  # a name for nothing
        ["@ SITE   WET    DRY   WET", "  DOSE   0.5    1.5   0.5"],  # names for each column
        ["@ SITE          LON  ELEV", "  KRND  30.5   20.5  99.5"],  # a number without a name
    ],
)
def test_other_rows_of_numbers_above_the_names_belong_to_these(lines):
    table = read_table("\n".join([*lines, "@DAY   HIGH    LOW  RAIN", *SKY]).encode(), "t.txt")
    assert (table.detected.header_lines, table.n_rows) == (3, 30)


def test_a_row_that_counts_groups_above_the_names_belongs_to_these():
    lines = ["PLOT,,A,B,C", "BED,,1,2,3", "DAY,HIGH,LOW,RAIN,SNOW"]
    assert names(*lines) == ("PLOT BED DAY", "HIGH", "A 1 LOW", "B 2 RAIN", "C 3 SNOW")


@pytest.mark.parametrize(
    ("third", "below", "n_rows"),
    [
        ([2015, 2016, 2016], ["", "Total", 48940.5, 49831.5, 3.5], 21),  # below two lines of names
        ([2015, 2016, 31], ["", "Total", 48940.5, 49831.5, 3.5], 22),
        ([2015, 2016, 2016], ["", "", 48940.5, 49831.5, 3.5], 22),
        ([2015, 2016, 2016], ["", "Total", 2014, 2013, 2012], 22),
    ],
)
def test_years_behind_a_blank_cell_belong_to_the_names(third, below, n_rows):
    names = [["", "Income", "", "Change"], ["", "Dollars", "", "Percent"]]
    rows = [[f"county {k}", k * k % 89 + 30000.5, k * k % 97 + 30000.5, k % 9 + 0.5] for k in range(20)]
    table = read_table(workbook(one=[*names, ["", *third], below[1:], *rows]), "t.xlsx")
    assert table.n_rows == n_rows
    assert n_rows == 22 or [name[-4:] for name in table.columns[1:]] == ["2015", "2016", "2016"]


def test_a_line_that_numbers_the_columns_is_said():
    rows = [f"{k}.5,{k * k % 7},{k % 5},{'uv'[k % 2]},3,4" for k in range(20)]
    table = read_table("\n".join(["a,b,c,kind,d,e", "1,2,3,4,5,6", *rows]).encode(), "t.csv")
    assert (table.n_rows, table.columns[:2]) == (20, ("a", "b"))
    assert "A line of numbers of the columns was left out." in table.notes


def test_a_title_over_the_first_column_heads_no_group():
    rows = [f"{k}.5,{k * k % 7},{k % 5}" for k in range(20)]
    table = read_table("\n".join(["Results,,", "a,b,c", *rows]).encode(), "t.csv", ReadOptions(header_lines=2))
    assert table.columns == ("Results a", "b", "c")


@pytest.mark.parametrize(
    ("answers", "ticked", "n_names"),
    [
        ("dogs,cats,fish,< 18,18-29,> 60", "dogs,cats,fish,< 18,18-29,> 60", 2),
        ("dogs,cats,fish,< 18,18-29,> 60", "dogs,cats,fish,,18-29,> 60", 2),  # ticked in no row
        ("dogs,cats,fish,< 18,18-29,> 60", "dogs,cats,fish,< 18,18-29,> 65", 1),  # another number below
        ("Ann,Ben,Cid,< 18,18-29,> 60", "dogs,cats,fish,< 18,18-29,> 60", 1),  # few boxes
    ],
)
def test_answers_below_blanks_are_names_with_numbers_in_boxes(answers, ticked, n_names):
    boxes = ticked.split(",")
    cells = [[box if (k + j) % 3 else "" for j, box in enumerate(boxes)] for k in range(N)]
    rows = [f"{k * k + 1000},{','.join(each)}" for k, each in enumerate(cells)]
    table = read_table("\n".join(["Id,Pets?,,,Age?,,", f",{answers}", *rows]).encode(), "t.csv")
    assert table.n_rows == N + 2 - n_names
    assert n_names == 1 or table.columns[3:6] == ("Pets? fish", "Age? < 18", "Age? 18-29")
