"""A fault that comes again and again is in the log once a minute, and counted."""

from __future__ import annotations

import logging

from starlette.websockets import WebSocketDisconnected
from streamlit.elements.widgets.slider import SliderSerde

from pages.server import repeated_faults
from pages.server.repeated_faults import RepeatedFaults


def test_once_a_minute_with_how_often_it_came(caplog):
    now = [0.0]
    log = logging.getLogger("test.repeated")
    log.addFilter(RepeatedFaults(lambda: now[0]))
    with caplog.at_level(logging.INFO):
        for k in range(1_000):
            log.error("socket.accept() out of system resource %s", k)
            log.info("step %s", k)
        log.error("something else")
        now[0] = 61.0
        log.error("socket.accept() out of system resource %s", "again")
        now[0] = 62.0
        log.error("socket.accept() out of system resource")
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert told == [
        "socket.accept() out of system resource 0",
        "something else",
        "socket.accept() out of system resource again (999 more like this in the last minute)",
        "socket.accept() out of system resource",
    ]
    assert len([record for record in caplog.records if record.levelno == logging.INFO]) == 1_000


def test_errors_of_another_kind_are_told_apart_and_few_are_remembered():
    once = RepeatedFaults(lambda: 0.0)

    def passes(message, error=None):
        info = None if error is None else (type(error), error, None)
        return once.filter(logging.LogRecord("n", logging.ERROR, "f", 1, message, (), info))

    assert passes("failed", ValueError("a"))
    assert passes("failed", KeyError("a"))
    assert not passes("failed", ValueError("b"))
    assert all(passes(f"kind {k}") for k in range(10_000))
    assert len(once._told) <= 200


def test_what_no_page_sends_is_one_line_and_what_fails_here_keeps_its_traceback(caplog):
    log = logging.getLogger("test.shortened")
    log.addFilter(RepeatedFaults())
    with caplog.at_level(logging.WARNING):
        for fail in (lambda: SliderSerde.deserialize(None, 1.5), lambda: 1 / 0):
            try:
                fail()
            except Exception:
                log.exception("Uncaught app execution")
    refused, failed = caplog.records
    assert refused.getMessage().startswith("A message was refused that no page of ours sends: ")
    assert refused.exc_info is None
    assert failed.getMessage() == "Uncaught app execution"
    assert failed.exc_info[0] is ZeroDivisionError


def test_what_was_on_its_way_when_a_line_was_closed_is_no_error(caplog):
    log = logging.getLogger("test.closed")
    log.addFilter(RepeatedFaults())
    try:
        raise WebSocketDisconnected('Cannot call "send" once a close message has been sent.')
    except WebSocketDisconnected:
        log.exception("Error sending websocket payload")
    (told,) = caplog.records
    assert (told.levelname, told.exc_info) == ("WARNING", None)
    assert "let go" in told.getMessage()


def test_streamlit_s_own_loggers_are_kept_short_as_well():
    repeated_faults.install()
    logger = logging.getLogger("streamlit.error_util")
    assert [each for each in logger.filters if isinstance(each, RepeatedFaults)]
