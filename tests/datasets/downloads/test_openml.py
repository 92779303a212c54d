"""OpenML by name or id, against a server of our own: right data, one sentence for each fault, no second question."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace

import numpy as np
import pytest

from datasets.base import child_process
from datasets.base.errors import DataError
from datasets.downloads.cache import Cache
from datasets.downloads.fetch import Site, WrongStatus, fetch
from datasets.downloads.openml import OPENML, open_openml, openml_search
from datasets.downloads.watch import Cancelled, Watch
from tests.datasets.downloads.openml_server import FLOWERS, SITE, arff_of


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


@pytest.mark.parametrize("asked", ["7", " 7 ", "id:7", "id=7", "ID: 7", "#7", "https://www.openml.org/d/7"])
def test_ids_are_understood_without_a_question(asked):
    assert openml_search(asked) == 7  # the real server's address, which is not asked


@pytest.mark.parametrize("asked", ["id:", "id: x", "#", "999999999999", "-5", "5.5", "did=1,2"])
def test_what_is_meant_as_an_id_and_is_none_is_no_question_either(asked):
    with pytest.raises(DataError, match="is no id of OpenML; they are whole numbers"):
        openml_search(asked)


@pytest.mark.parametrize("asked", ["../../x", "😀", "<b>x</b>", "a?b=c&d#e", "iris%2Fwine"])
def test_odd_names_are_looked_up_as_names_and_nothing_else(openml, asked):
    with pytest.raises(DataError, match="OpenML has no active data set named"):
        openml_search(asked, server=openml.server)
    assert [path.count("/") for path in openml.asked] == [12]  # its slashes are no slashes of the address


def test_names_are_looked_up_and_another_version_is_mentioned(openml):
    openml.add(7, "flowers", FLOWERS)
    openml.name("flowers", 7, 70)
    assert openml_search("Flowers", server=openml.server) == 7
    notes = open_openml("flowers", server=openml.server).dataset.notes
    assert notes[0] == "OpenML has several sets named 'flowers': version 1 (id 7) was taken; another has the id 70."


@pytest.mark.parametrize("asked", ["", "   ", "x" * 300])
def test_nothing_to_look_up(asked):
    with pytest.raises(DataError, match="Give the name of an OpenML data set"):
        openml_search(asked)


@pytest.mark.parametrize("status", [404, 412])
@pytest.mark.parametrize(
    ("asked", "path", "words"),
    [
        (
            "nosuch",
            "/api/v1/json/data/list/data_name/nosuch/limit/2/status/active/",
            "no active data set named 'nosuch'",
        ),
        ("99", "/api/v1/json/data/99", "no data set with the id 99"),
    ],
)
def test_an_unknown_set_gets_its_sentence(openml, status, asked, path, words):
    openml.pages[path] = lambda handler: handler.send_error(status)
    with pytest.raises(DataError, match=words):
        open_openml(asked, server=openml.server)


def test_a_name_is_quoted(openml):
    with pytest.raises(DataError, match="no active data set"):
        openml_search("../../etc?x=#1 é", server=openml.server)
    assert openml.asked == ["/api/v1/json/data/list/data_name/..%2F..%2Fetc%3Fx%3D%231%20%C3%A9/limit/2/status/active/"]


def test_a_missing_file_gets_its_sentence(openml):
    path = openml.add(7, "flowers", FLOWERS)
    del openml.pages[path]
    with pytest.raises(DataError, match="no longer has the file of flowers"):
        open_openml("7", server=openml.server)


def test_an_error_of_the_server_is_named(openml):
    openml.pages["/api/v1/json/data/7"] = lambda handler: handler.send_error(503)
    with pytest.raises(DataError, match=r"OpenML answered with error 503. Try again later\."):
        open_openml("7", server=openml.server)


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
        openml_search("x", server=openml.server)
    openml.name("x", 7)
    assert openml_search("x", server=openml.server) == 7  # what was not found is looked for again


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


def test_a_silent_server_is_given_up(openml):
    def stall(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"{")
        openml.release.wait(30)

    openml.pages["/api/v1/json/data/7"] = stall
    with pytest.raises(DataError, match="OpenML sent nothing for 1 s"):
        open_openml("7", Watch(silent_seconds=0.5 + 0.01), openml.server)


def test_a_server_that_never_answers_is_given_up(openml):
    openml.pages["/api/v1/json/data/7"] = lambda handler: openml.release.wait(30)
    with pytest.raises(DataError, match="took longer than 1 s and was given up"):
        open_openml("7", Watch(seconds=1.0, until=time.monotonic() + 1.0), openml.server)


def test_a_body_that_breaks_off(openml):
    def half(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(FLOWERS)))
        handler.end_headers()
        handler.wfile.write(FLOWERS[:50])

    openml.pages[openml.add(7, "flowers", FLOWERS)] = half
    with pytest.raises(DataError, match="The file of flowers broke off"):
        open_openml("7", server=openml.server)


@pytest.mark.parametrize("announced", [True, False])
def test_too_large(openml, announced):
    def large(handler):
        handler.send_response(200)
        if announced:
            handler.send_header("Content-Length", "5000")
        handler.end_headers()
        handler.wfile.write(b"x" * 5000)

    openml.pages["/f"] = large
    with pytest.raises(DataError, match=r"The file has more than 4,000 bytes, which is the limit\."):
        fetch(f"{openml.base}/f", SITE, "The file", Watch(), 4000)


def test_a_request_larger_than_a_pipe_reaches_a_child_that_starts_slowly(openml, monkeypatch):
    monkeypatch.setattr(child_process, "_POLL_SECONDS", 0.001)  # asked many times before the child has read anything
    openml.pages["/f"] = b"there"
    hosts = (*SITE.hosts, *(f"host-{k}.example.org" for k in range(10_000)))
    watch = Watch(seconds=60.0, until=time.monotonic() + 60.0)
    assert fetch(f"{openml.base}/f", replace(SITE, hosts=hosts), "The file", watch) == b"there"


def redirect_to(url):
    def page(handler):
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return page


def test_redirects_are_followed_among_the_sites_own_hosts(openml):
    openml.pages |= {"/a": redirect_to("/b"), "/b": redirect_to(f"{openml.base}/c"), "/c": b"there"}
    assert fetch(f"{openml.base}/a", SITE, "The file", Watch()) == b"there"


@pytest.mark.parametrize(
    "target",
    [
        "http://localhost:{port}/c",
        "http://169.254.169.254/latest",
        "http://[::1]:{port}/c",
        "https://127.0.0.1:{port}/c",
        "ftp://127.0.0.1/c",
        "file:///etc/passwd",
        "http://user:secret@127.0.0.1:{port}/c",
        "http://127.0.0.1.example.org/c",
    ],
)
def test_a_redirect_to_a_foreign_host_is_refused(openml, target):
    openml.pages |= {"/a": redirect_to(target.format(port=openml.base.rsplit(":", 1)[1])), "/c": b"there"}
    with pytest.raises(DataError, match=r"not one of its own hosts|cannot be followed") as caught:
        fetch(f"{openml.base}/a", SITE, "The file", Watch())
    assert openml.asked == ["/a"]
    assert "secret" not in str(caught.value)


def test_endless_redirects_end(openml):
    openml.pages["/a"] = redirect_to("/a")
    with pytest.raises(DataError, match="cannot be followed"):
        fetch(f"{openml.base}/a", SITE, "The file", Watch())
    assert len(openml.asked) < 10


def test_a_description_cannot_send_us_elsewhere(openml):
    for url in ("file:///etc/passwd", "https://example.org/x.arff", "http://localhost:1/x"):
        openml.server.cache.remove(f"{openml.base} openml/7/about")
        openml.add(7, "flowers", FLOWERS, url=url, md5_checksum=None)
        with pytest.raises(DataError, match="not one of its own hosts"):
            open_openml("7", server=openml.server)
    openml.server.cache.remove(f"{openml.base} openml/7/about")
    openml.add(7, "flowers", FLOWERS, url=None)
    with pytest.raises(DataError, match="no file for flowers"):
        open_openml("7", server=openml.server)


@pytest.mark.parametrize(
    ("url", "fits"),
    [
        ("https://www.openml.org/data/v1/download/61/iris.arff", True),
        ("https://openml.org/x", True),
        ("https://data.openml.org:443/x", True),
        ("https://data.openml.org:8443/x", False),
        ("http://www.openml.org/x", False),
        ("https://openml.org.evil.com/x", False),
        ("https://evilopenml.org/x", False),
        ("https://evil.com/openml.org", False),
        ("https://openml.org@evil.com/x", False),
        ("https://10.0.0.1/x", False),
        ("https://[::1/x", False),
        ("https:///x", False),
    ],
)
def test_which_addresses_are_openmls(url, fits):
    from datasets.downloads.child import allowed

    assert allowed(url, list(OPENML.site.schemes), list(OPENML.site.hosts)) is fits


def test_cancelled_before_it_began(openml):
    with pytest.raises(Cancelled):
        open_openml("7", Watch(cancelled=lambda: True), openml.server)
    assert openml.asked == []


def test_status_is_told_apart(openml):
    openml.pages["/a"] = lambda handler: handler.send_error(500)
    with pytest.raises(WrongStatus) as caught:
        fetch(f"{openml.base}/a", SITE, "The file", Watch())
    assert caught.value.status == 500


def test_several_targets_and_no_target(openml):
    openml.add(7, "flowers", FLOWERS, default_target_attribute="class,note")
    opened = open_openml("7", server=openml.server)
    assert opened.plan.label == "class"
    assert ("note", "it is another target") in opened.plan.left_out
    unlabelled = arff_of({"a": "REAL", "b": "REAL"}, [f"{k + 0.5},{k * 1.7}" for k in range(60)])
    openml.add(8, "plain", unlabelled, default_target_attribute=None)
    with pytest.raises(DataError, match="no column looks like a label"):
        open_openml("8", server=openml.server)


def test_a_deactivated_set_says_so(openml):
    openml.add(7, "flowers", FLOWERS, status="deactivated")
    assert "OpenML marks this set as deactivated." in open_openml("7", server=openml.server).dataset.notes
