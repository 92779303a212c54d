"""OpenML by name or id, against a server of our own: right data, one sentence for each fault, no second question."""

import contextlib
import hashlib
import threading
from dataclasses import replace

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.downloads.cache import Cache
from datasets.downloads.entries import openml_entry
from datasets.downloads.fetch import Site, Watch, WrongStatus, fetch
from datasets.downloads.openml import OPENML, open_openml, openml_search
from tests.datasets.downloads.openml_server import FLOWERS, SITE, arff_of, half_of


def test_a_set_arrives_with_its_label_and_without_what_openml_ignores(openml):
    openml.add(7, "flowers", FLOWERS, row_id_attribute="number", ignore_attribute=["note"])
    opened = open_openml("7", server=openml.server)
    dataset = opened.dataset
    k = np.arange(1, 13)
    np.testing.assert_allclose(dataset.X, np.column_stack([k * 0.5, (k * 7) % 5]))
    np.testing.assert_array_equal(dataset.y, k % 2)
    assert dataset.class_names == ("blue", "red")
    assert dataset.feature_names == ("length", "width")
    assert dataset.name == "flowers"
    assert dataset.source.licence == "Public"
    assert dataset.source.url == "https://www.openml.org/d/7"
    assert dataset.image_shape is None
    assert dict(opened.plan.left_out) == {
        "number": "OpenML says that it numbers the rows",
        "note": "OpenML says to ignore it",
    }
    assert opened.plan.label_reason == "OpenML's default target"
    assert opened.table.columns == ("number", "length", "width", "note", "class")


@pytest.mark.parametrize("asked", [" 7 ", "id=7", "#7", "https://www.openml.org/d/7"])
def test_ids_are_understood_without_a_question(asked):
    assert openml_search(asked, Watch(), OPENML) == (7, [])  # the real server's address, which is not asked


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("id: x", "is no id of OpenML"),
        ("-5", "is no id of OpenML"),
        ("   ", "Give the name of an OpenML data set"),
    ],
)
def test_what_cannot_be_looked_up_gets_its_sentence(asked, words):
    with pytest.raises(DataError, match=words):
        openml_search(asked, Watch(), OPENML)


def test_names_are_looked_up_and_another_version_is_mentioned(openml):
    openml.add(7, "flowers", FLOWERS)
    openml.name("flowers", 7, 70)
    assert openml_search("Flowers", Watch(), openml.server)[0] == 7
    notes = open_openml("flowers", server=openml.server).dataset.notes
    assert notes[0] == "OpenML has several sets named 'flowers': version 1 (id 7) was taken; another has the id 70."


def test_a_name_is_quoted_whatever_is_in_it(openml):
    with pytest.raises(DataError, match="no active data set"):
        openml_search("../../etc?x=#1 é<b>", Watch(), openml.server)
    assert openml.asked == [
        "/api/v1/json/data/list/data_name/..%2F..%2Fetc%3Fx%3D%231%20%C3%A9%3Cb%3E/limit/2/status/active/"
    ]


def answering(body=b"", status=200, length=None, wait=0, **headers):
    """A page that answers so, then keeps the connection open for some seconds."""

    def page(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if length is not None:
            handler.send_header("Content-Length", str(length))
        handler.end_headers()
        handler.wfile.write(body)
        handler.wfile.flush()
        handler.server.hold.wait(wait)

    return page


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (answering(status=503), "OpenML answered with error 503. Try again later."),
        (answering(b"{", length=1_000, wait=30), "OpenML sent nothing for 1 s"),
        (answering(b"half", length=1_000), "The file broke off half way. Try again."),
        (answering(b"x" * 5_000), "The file has more than 4,000 bytes, which is the limit."),
        (answering(status=302, Location="/f"), "OpenML sends on to an address that cannot be followed"),
    ],
)
def test_each_fault_of_a_server_gets_its_sentence(openml, page, words):
    openml.pages["/f"] = page
    with pytest.raises(DataError) as caught:
        fetch(f"{openml.base}/f", SITE, "The file", Watch(silent_seconds=0.6), 4_000)
    assert words in str(caught.value)
    assert isinstance(caught.value, WrongStatus) == ("503" in words)
    assert len(openml.asked) < 10


@pytest.mark.parametrize("status", [404, 412])
def test_what_openml_does_not_know_gets_its_sentence(openml, status):
    gone = openml.add(7, "flowers", FLOWERS)
    search = "/api/v1/json/data/list/data_name/nosuch/limit/2/status/active/"
    openml.pages |= {path: answering(status=status) for path in (search, "/api/v1/json/data/99", gone)}
    for asked, words in (
        ("nosuch", "no active data set named 'nosuch'"),
        ("99", "no data set with the id 99"),
        ("7", "no longer has the file of flowers"),
    ):
        with pytest.raises(DataError, match=words):
            open_openml(asked, server=openml.server)


def test_time_and_cancelling_end_a_download(openml):
    openml.pages["/f"] = answering(wait=30)
    with pytest.raises(DataError, match="took longer than 1 s and was given up"):
        fetch(f"{openml.base}/f", SITE, "The file", Watch(seconds=1.0))
    with pytest.raises(DataError, match="was cancelled"):
        open_openml("7", Watch(cancelled=lambda: True), openml.server)
    assert openml.asked == ["/f"]


@pytest.mark.parametrize(
    "body", [b"<html>down</html>", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"data_set_description": 3}']
)
def test_an_answer_that_is_not_understood(openml, body):
    openml.pages["/api/v1/json/data/7"] = body
    with pytest.raises(DataError, match=r"could not be understood|no data set with the id 7"):
        open_openml("7", server=openml.server)
    openml.add(7, "flowers", FLOWERS)
    assert open_openml("7", server=openml.server).dataset.n_samples == 12  # a passing fault is not kept


@pytest.mark.parametrize("body", [b'{"data": {"dataset": []}}', b'{"data": 1}', b"[]", b'{"data": {"dataset": [{}]}}'])
def test_a_search_that_finds_nothing(openml, body):
    openml.pages["/api/v1/json/data/list/data_name/x/limit/2/status/active/"] = body
    with pytest.raises(DataError, match="no active data set named 'x'"):
        openml_search("x", Watch(), openml.server)
    openml.name("x", 7)
    assert openml_search("x", Watch(), openml.server)[0] == 7  # what was not found is looked for again


def test_a_wrong_checksum_is_refused_and_not_kept(openml):
    path = openml.add(7, "flowers", FLOWERS, md5_checksum=hashlib.md5(b"other").hexdigest())
    for _ in range(2):
        with pytest.raises(DataError, match="arrived damaged"):
            open_openml("7", server=openml.server)
    assert openml.asked.count(path) == 2


def test_the_second_time_needs_no_network(openml):
    openml.add(7, "flowers", FLOWERS)
    openml.name("flowers", 7)
    first = open_openml("flowers", server=openml.server).dataset
    asked = len(openml.asked)
    gone = replace(openml.server, site=Site("OpenML", ()))  # whatever is asked now is refused
    second = open_openml("flowers", server=gone).dataset
    np.testing.assert_array_equal(first.X, second.X)
    assert len(openml.asked) == asked == 3
    with pytest.raises(DataError, match="not one of its own hosts"):
        open_openml("8", server=gone)


def test_without_a_network_one_sentence(tmp_path):
    nobody = replace(OPENML, base="http://127.0.0.1:9", site=SITE, cache=Cache(tmp_path))
    with pytest.raises(DataError, match=r"^No network: OpenML could not be reached.*downloaded before still opens\.$"):
        open_openml("iris", server=nobody)


def test_redirects_are_followed_among_the_sites_own_hosts(openml):
    openml.pages |= {
        "/a": answering(status=302, Location="/b", length=0),
        "/b": answering(status=302, Location=f"{openml.base}/c", length=0),
        "/c": b"there",
    }
    assert fetch(f"{openml.base}/a", SITE, "The file", Watch()) == b"there"


@pytest.mark.parametrize(
    "target",
    [
        "http://localhost:{port}/c",
        "http://169.254.169.254/latest",
        "https://127.0.0.1:{port}/c",
        "file:///etc/passwd",
        "http://user:secret@127.0.0.1:{port}/c",
    ],
)
def test_a_redirect_to_a_foreign_host_is_refused(openml, target):
    openml.pages |= {
        "/a": answering(status=302, Location=target.format(port=openml.base.rsplit(":", 1)[1]), length=0),
        "/c": b"there",
    }
    with pytest.raises(DataError, match=r"not one of its own hosts|cannot be followed") as caught:
        fetch(f"{openml.base}/a", SITE, "The file", Watch())
    assert openml.asked == ["/a"]
    assert "secret" not in str(caught.value)


def test_a_description_cannot_send_us_elsewhere(openml):
    openml.add(7, "flowers", FLOWERS, url="file:///etc/passwd", md5_checksum=None)
    openml.add(8, "flowers", FLOWERS, url=None)
    for asked, words in (("7", "not one of its own hosts"), ("8", "no file for flowers")):
        with pytest.raises(DataError, match=words):
            open_openml(asked, server=openml.server)


@pytest.mark.parametrize(
    ("url", "fits"),
    [
        ("https://www.openml.org/data/v1/download/61/iris.arff", True),
        ("https://data.openml.org:443/x", True),
        ("https://data.openml.org:8443/x", False),
        ("http://www.openml.org/x", False),
        ("https://openml.org.evil.com/x", False),
        ("https://evil.com/openml.org", False),
        ("https://openml.org@evil.com/x", False),
        ("https://[::1/x", False),
    ],
)
def test_which_addresses_are_openmls(url, fits):
    assert OPENML.site.allows(url) is fits


def test_a_cancelled_download_leaves_no_thread(openml):
    def trickle(handler):
        handler.send_response(200)
        handler.end_headers()
        with contextlib.suppress(OSError):  # the other end has gone
            while not openml.release.wait(0.05):
                handler.wfile.write(b"x")

    openml.pages["/f"] = trickle
    sizes = []
    watch = Watch(cancelled=lambda: any(sizes), tell=lambda _, n_bytes, total: sizes.append(n_bytes))
    with pytest.raises(DataError, match="was cancelled"):
        fetch(f"{openml.base}/f", SITE, "The file", watch)
    for thread in [each for each in threading.enumerate() if each.name == "download"]:
        thread.join(5)
        assert not thread.is_alive()


def test_several_targets_and_no_target(openml):
    openml.add(7, "flowers", FLOWERS, default_target_attribute="class,note", status="deactivated")
    opened = open_openml("7", server=openml.server)
    assert "OpenML marks this set as deactivated." in opened.dataset.notes
    assert opened.plan.label == "class"
    assert ("note", "it is another target") in opened.plan.left_out
    unlabelled = arff_of({"a": "REAL", "b": "REAL"}, [f"{k + 0.5},{k * 1.7}" for k in range(60)])
    openml.add(8, "plain", unlabelled, default_target_attribute=None)
    with pytest.raises(DataError, match="no column looks like a label"):
        open_openml("8", server=openml.server)


def test_half_a_file_is_not_kept(openml):
    path = openml.add(7, "flowers", FLOWERS)
    half_of(openml, path)
    seen = []
    watch = Watch(
        cancelled=lambda: bool(seen and seen[-1][1] == len(FLOWERS) // 2), tell=lambda *said: seen.append(said)
    )
    with pytest.raises(DataError, match="was cancelled"):
        open_openml("7", watch, openml.server)
    assert seen[-1] == ("The file of flowers is on its way.", len(FLOWERS) // 2, len(FLOWERS))
    openml.add(7, "flowers", FLOWERS)
    assert open_openml("7", None, openml.server).dataset.n_samples == 12


def test_any_set_of_openml_has_an_entry_before_anything_is_asked(openml):
    entry = openml_entry("  Iris  ", openml.server)
    assert (entry.key, entry.title, entry.kind) == ("openml:iris", "Iris", "download")
    assert openml.asked == []
