"""The command: what it says, and the two files of the report."""

import re

import pytest

from study.experiments.base.command import main
from study.experiments.base.report import TextTable, as_html, as_markdown
from tests.study.experiments.tiny import ALL


def run(tmp_path, *words):
    return main([*words, "--store", str(tmp_path / "store")], ALL)


def test_list_run_and_report(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("NCA_EXPLORER_DATA", raising=False)
    assert run(tmp_path, "run", "tiny", "lacking", "--seeds", "2") == 0
    said = capsys.readouterr().out
    assert "Left out: not_here.csv is not here." in said
    assert "6 cells, 0 of them stored." in said  # three of tiny on two splits; the one of lacking is one of these
    assert re.search(r"\[6/6\] .*\nDone: 6 computed in \d+ s, 0 stored before\.", said)
    assert run(tmp_path, "list") == 0
    assert re.search(r"tiny +8/16 +A small table", capsys.readouterr().out)
    assert run(tmp_path, "report", "tiny", "lacking", "--to", str(tmp_path / "out")) == 0
    markdown = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert ": 6 cells took" not in markdown
    assert ". 6 cells took" in markdown
    assert re.search(r"\| iris \| Euclidean \| 95\.0\xa0% \| \d+\.\d ± \d+\.\d\xa0% \| 2 \| a first look \|", markdown)
    assert "Not run: not_here.csv is not here." in markdown
    html = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert '<a href="#tiny">tiny</a>' in html
    assert '<h2 id="tiny">' in html
    assert not re.search(r'(src|href)="?http', html)  # it needs nothing else


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "nothing"], "There is no experiment nothing; there are: tiny, long, lacking, all."),
        (["run", "tiny", "--jobs", "0"], "--jobs not 0"),
        (["run", "tiny", "--seeds", "0"], "--seeds must be at least 1"),
        (["list", "--data=nowhere"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(tmp_path, capsys, words, sentence):
    assert run(tmp_path, *words) == 2
    assert sentence in capsys.readouterr().err


def test_words_of_others_are_text():
    blocks = ["<b>x</b> & y", TextTable(["a|b"], [["c|d <i>"]])]
    assert "&lt;b&gt;x&lt;/b&gt; &amp; y" in as_html(blocks, "t")
    assert "<i>" not in as_html(blocks, "t")
    assert "| a\\|b |" in as_markdown(blocks)
