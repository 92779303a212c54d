"""Logs of known forms become columns with names; each form by lines as programs write them."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import ReadOptions, read_table
from datasets.reading.logs import cells_of_most

SYSLOG = [
    "Aug  8 21:43:37 lab systemd-logind[1108]: Lid opened.",
    'Aug  8 21:43:38 lab dbus[10]: [system] Rejected, 3 rules; type="error", name="(unset)"',
    "2024-08-08T21:43:39.125+02:00 lab CRON[13]: pam_unix(cron:session): session closed",
    "Aug 18 21:43:39 lab polkitd(authority=local): stopped\tat once",
]
ACCESS = [
    '10.26.60.119 - - [12/Apr/2021:06:25:55 +0700] "GET /map/icon.ico HTTP/1.1" 404 185 "-" "curl (a, b)"',
    r'10.0.0.1 - anna b [12/Apr/2021:06:25:56 +0700] "\x16\x03 \"x" 400 - "-" "-"',
    '::1 - - [12/Apr/2021:06:25:57 +0700] "POST /a b HTTP/1.0" 200 17',
]
RFC5424 = [
    '<28>1 2020-03-31T04:00:11.093-03:00 re0 rpd 2051 STATE [j@26 peer="10.0.0.1 (a]b)" new="Idle"] peer changed',
    "<188>1 2020-03-30T23:57:32.125-03:00 re0 mgd 71401 UI_COMMIT - commit complete",
    "<28>1 2020-03-31T04:00:12Z re0 - - - - link up",
]
LEVELS = [
    "2015-10-18 18:01:47,978 INFO [main] org.a.App: started",
    "[2015-10-18T18:01:47Z] WARNING - slow: 1,5 s",
    "2015-10-18 18:01:48,001 - my.module - ERROR - failed",
    "2015/10/18 18:01:49 [worker-1] DEBUG done",
]


PYTHON = [
    "2021-01-04 06:31:18,317 fail2ban.server         [415]: INFO    rollover performed",
    "2021-01-04 06:31:58,925 fail2ban.filter         [415]: NOTICE  [sshd] Found 10.0.0.1 - 2021-01-04 06:31:58",
]


def read(lines, **options):
    return read_table("\n".join(lines).encode(), "t.log", ReadOptions(**options))


@pytest.mark.parametrize(
    ("lines", "columns", "rows"),
    [
        (
            SYSLOG,
            "time|host|program|pid|message",
            [
                "Aug  8 21:43:37|lab|systemd-logind|1108|Lid opened.",
                'Aug  8 21:43:38|lab|dbus|10|[system] Rejected, 3 rules; type="error", name="(unset)"',
                "2024-08-08T21:43:39.125+02:00|lab|CRON|13|pam_unix(cron:session): session closed",
                "Aug 18 21:43:39|lab|polkitd(authority=local)||stopped at once",
            ],
        ),
        (
            RFC5424,
            "priority|time|host|program|pid|event|data|message",
            [
                "28|2020-03-31T04:00:11.093-03:00|re0|rpd|2051|STATE"
                '|[j@26 peer="10.0.0.1 (a]b)" new="Idle"]|peer changed',
                "188|2020-03-30T23:57:32.125-03:00|re0|mgd|71401|UI_COMMIT|-|commit complete",
                "28|2020-03-31T04:00:12Z|re0|-|-|-|-|link up",
            ],
        ),
        (
            ACCESS,
            "host|ident|user|time|method|path|protocol|status|bytes|referer|agent",
            [
                "10.26.60.119|-|-|12/Apr/2021:06:25:55 +0700|GET|/map/icon.ico|HTTP/1.1|404|185|-|curl (a, b)",
                r"10.0.0.1|-|anna b|12/Apr/2021:06:25:56 +0700||\x16\x03 \"x||400|-|-|-",
                "::1|-|-|12/Apr/2021:06:25:57 +0700|POST|/a b|HTTP/1.0|200|17||",
            ],
        ),
        (
            LEVELS,
            "time|thread|source|level|message",
            [
                "2015-10-18 18:01:47,978|||INFO|[main] org.a.App: started",
                "2015-10-18T18:01:47Z|||WARNING|slow: 1,5 s",
                "2015-10-18 18:01:48,001||my.module|ERROR|failed",
                "2015/10/18 18:01:49|worker-1||DEBUG|done",
            ],
        ),
        (
            PYTHON * 2,
            "time|program|pid|level|message",
            [
                "2021-01-04 06:31:18,317|fail2ban.server|415|INFO|rollover performed",
                "2021-01-04 06:31:58,925|fail2ban.filter|415|NOTICE|[sshd] Found 10.0.0.1 - 2021-01-04 06:31:58",
            ]
            * 2,
        ),
    ],
)
def test_the_parts_of_a_line_are_columns(lines, columns, rows):
    table = read(lines * 4)
    assert "|".join(table.columns) == columns
    assert ["|".join(row) for row in table.rows] == rows * 4
    assert (table.detected.separator, table.decimal) == ("log", ".")


def test_lines_that_go_on_from_the_one_above_are_left_out_and_named():
    table = read([*LEVELS * 3, "java.lang.Error: 7", "\tat org.a.App", *LEVELS * 3])
    assert (table.n_rows, table.line_numbers[12]) == (24, 15)
    assert any(note.startswith("2 lines among the rows were left out (lines 13, 14: 'java") for note in table.notes)


@pytest.mark.parametrize(
    "lines",
    [
        LEVELS[:3] * 3,  # too few
        ["a comment", *LEVELS * 4],
        [f"2015-10-18 18:01:47,INFO,{k},x" for k in range(20)],
        [*LEVELS, *(f"{k} of 7 sheep" for k in range(9))],
        [*LEVELS * 4, *(f"{k} of 7 sheep" for k in range(24))],
    ],
)
def test_other_lines_are_no_log(lines):
    with pytest.raises(DataError, match=r"t.log is no log of a known form"):
        read(lines, separator="log")


def test_another_separator_can_be_chosen():
    table = read(ACCESS[:1] * 20, separator=" ")
    assert (table.detected.separator, len(table.columns)) == (" ", 10)


def test_commas_in_a_log_are_no_decimal_commas():
    lines = [f'10.0.0.1 - - [12/Apr/2021:06:25:5{k % 10} +0700] "GET {k},5 HTTP/1.1" 200 {k}7' for k in range(20)]
    assert read(lines).decimal == "."
    assert read(lines, decimal=",").decimal == ","


def test_keys_and_values_are_columns():
    lines = [
        f'ts=2024-05-0{k % 9 + 1}T10:00:00Z level={"info" if k % 3 else "warn"} msg="took a\t\\"while\\"" ms={k}.5'
        + (f" retry={k}" if k % 4 == 0 else "")
        for k in range(20)
    ]
    table = read([*lines[:9], "", "done a=1", *lines[9:]])
    assert table.columns == ("ts", "level", "msg", "ms", "retry")
    assert table.row(1) == ("2024-05-02T10:00:00Z", "info", r"took a \"while\"", "1.5", "")
    assert (table.n_rows, table.row(4)[4]) == (20, "4")
    assert "1 line among the rows was left out (line 11: 'done a=1')." in table.notes
    few = ["ts=1 level=info msg=up", "ts=2 level=info msg=up", "a;b;c", *("1;2;3",) * 9]
    assert read(few).detected.separator == ";"
    assert read([f"a={k};b={k * k};c=x" for k in range(12)]).columns == ("a", "b", "c")
    read(["a=" * 5_000 + '"'] * 12 + ["b c"] * 3)  # nothing is looked at twice


def test_keys_with_their_values_behind_a_time_are_columns():
    form = "10:{:02d}:05.123 -> Temp: {:.1f} C, Hum: {} %, State: {}"
    lines = [form.format(k, 20 + k / 7, k * k % 40, "OPEN" if k % 3 else "SHUT") for k in range(30)]
    table = read([*lines, "a line without"])
    assert table.columns == ("time", "Temp", "Hum", "State")
    assert table.row(7) == ("10:07:05.123", "21.0 C", "9 %", "OPEN")
    assert table.n_rows == 30
    counted = [f"Epoch {k}/30 - loss: {1 / k:.3f} - val acc: {k / 31:.3f}" for k in range(1, 31)]
    assert read(counted).columns == ("Epoch", "loss", "val acc")
    assert read(counted).row(2) == ("3", "0.333", "0.097")
    sent = [f"64 bytes from 8.8.8.8: seq={k} ttl={117 - k % 2} time={k}.5 ms" for k in range(20)]
    assert read(sent).columns == ("seq", "ttl", "time")
    assert read([f"time {line}" for line in lines]).columns[:2] == ("text", "Temp")


def test_words_before_the_first_key_are_columns_too():
    lines = [
        f"[Epoch {k}/30] [{'train' if k % 2 else 'val'}] loss: {1 / k:.3f} acc: {k / 31:.3f}" for k in range(1, 31)
    ]
    assert read(lines).columns == ("Epoch", "text", "loss", "acc")
    assert read(lines).row(2) == ("3", "train", "0.333", "0.097")
    more = [f"run {'a b'[: k % 4]}, batch {k} - loss: {1 / k:.3f} acc: {k / 31:.3f}" for k in range(1, 31)]
    assert read(more).columns == ("text", "batch", "loss", "acc")
    assert read([line.replace(", b", " b" * (k % 2)) for k, line in enumerate(more)]).columns == ("text", "loss", "acc")


@pytest.mark.parametrize(
    "lines",
    [
        [f"a: {k}, b: {k * k}, c: {'xy'[k % 2]}" for k in range(9)],  # few
        [f"a: {k}, {'bc'[k % 2]}: {k * k}, kind" for k in range(30)],  # other keys
        [f"a: {k}, a: {k * k}, a: {k}" for k in range(30)],  # one key
        [f"a: {k};x;{k}" for k in range(30)],
    ],
)
def test_lines_without_the_same_keys_are_no_log(lines):
    assert read(lines).detected.separator != "log"


def test_keys_between_pipes_may_have_paths_braces_or_nothing_behind_them():
    lines = [
        f"2025-12-14T20:41:{10 + k}.5 | IP=10.0.0.{k} | Path=/a/{k} | "
        + f"Query={'x=1' if k % 3 else ''} | Body={{'a': {k}}}..."
        for k in range(12)
    ]
    table = read(lines)
    assert table.columns == ("time", "IP", "Path", "Query", "Body")
    assert table.row(0) == ("2025-12-14T20:41:10.5", "10.0.0.0", "/a/0", "", "{'a': 0}...")
    assert (table.n_rows, table.row(11)[2:]) == (12, ("/a/11", "x=1", "{'a': 11}..."))


def marked(first="year,sign,size", n=20):
    rows = [f'{2000 + k},"<b size=""4"" style=""red"">+</b>",{k * k % 7}' for k in range(n)]
    return "\n".join([first, *rows]).encode()


def test_marks_of_web_pages_in_a_table_make_no_log():
    table = read_table(marked(), "t.csv")
    assert (table.columns, table.n_rows) == (("year", "sign", "size"), 20)


def test_keys_between_commas_are_a_log_though_each_line_has_as_many():
    lines = "\n".join(f"epoch={k},loss={k * 3 % 7}.5,acc=0.{k}" for k in range(10, 30))
    assert read_table(lines.encode(), "t.log").columns == ("epoch", "loss", "acc")


def test_a_line_without_keys_may_stand_above_those_of_a_log():
    lines = ["training begins", *(f"Epoch {k} - loss: {k * 3 % 7}.5 - acc: 0.{k}" for k in range(10, 30))]
    assert read_table("\n".join(lines).encode(), "t.log").columns == ("Epoch", "loss", "acc")


@pytest.mark.parametrize("n_above", [0, 2])
def test_pairs_in_one_cell_of_a_table_make_no_log(n_above):
    rows = [f'"{k}","{k * k % 7}","plot {k}","tall (operator: ann, time: {k} h)"' for k in range(60)]
    lines = ['"Date of download: 2025-02-26"', '"Search: level:all list:1,2"'][:n_above]
    table = read_table("\n".join([*lines, '"n","size","plot","notes"', *rows]).encode(), "t.csv")
    assert (table.columns, table.n_rows) == (("n", "size", "plot", "notes"), 60)


def test_lines_of_a_log_that_are_quoted_as_a_whole_lose_the_quote():
    table = read([f'"{line}"' for line in ACCESS * 4])
    assert table.column("host")[:3] == ["10.26.60.119", "10.0.0.1", "::1"]


def test_lines_of_which_one_opens_a_quote_may_be_long_together():
    """As sampled lines of a survey whose questions go on over many lines."""
    lines = ['Q1,"How often', *["x" * 1000] * 200]
    assert list(cells_of_most(lines)) == []
