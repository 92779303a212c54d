"""What is written in one turn of the loop goes out in one piece, in order, and nothing is lost at the end."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pages.server.gathered_writes import AT_MOST, GatheredWrites


class Line:
    """A transport that keeps what is written, and whether it was closed."""

    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(bytes(data))

    def close(self):
        self.sent.append("closed")

    def is_closing(self):
        return "closed" in self.sent


def sent_by(talk):
    """What a line has sent after `talk(writes, line)`, a coroutine."""
    line = Line()

    async def turn():
        await talk(GatheredWrites(line, asyncio.get_running_loop()), line)

    with ThreadPoolExecutor(1) as pool:  # this process may have a loop of its own
        pool.submit(asyncio.run, turn()).result()
    return line.sent


def test_a_turn_goes_out_in_one_piece():
    async def talk(writes, line):
        for k in range(100):
            writes.write(b"%02d" % k)
        assert line.sent == []
        await asyncio.sleep(0)
        writes.write(b"next")
        await asyncio.sleep(0)

    assert sent_by(talk) == [b"".join(b"%02d" % k for k in range(100)), b"next"]


def test_much_is_not_held_back():
    async def talk(writes, line):
        writes.write(b"a" * (AT_MOST - 1))
        assert line.sent == []
        writes.write(b"bc")
        assert [len(piece) for piece in line.sent] == [AT_MOST + 1]
        await asyncio.sleep(0)

    assert len(sent_by(talk)) == 1


def test_what_was_written_is_sent_before_the_line_is_closed():
    async def talk(writes, line):
        writes.write(b"goodbye")
        writes.close()
        assert writes.is_closing()  # all else is asked of the line
        await asyncio.sleep(0)

    assert sent_by(talk) == [b"goodbye", "closed"]
