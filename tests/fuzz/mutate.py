"""Bytes with something broken in them."""

import random

_ODD = (
    b"",
    b"\0",
    b"\xff" * 8,
    b"\x80" * 4,
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"-1",
    b"1e999",
    b"NaN",
    b"%00",
    b"../" * 8,
)
_MOST = 20_000  # bytes that one change adds


def mutated(data: bytes, rng: random.Random, changes: int = 3) -> bytes:
    """`data` after one to `changes` changes: flipped bits, cuts, copies, insertions, numbers at their limits."""
    for _ in range(rng.randint(1, changes)):
        at, other = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
        what = rng.randrange(7)
        if what == 0 and data:
            k = rng.randrange(len(data))
            data = data[:k] + bytes([data[k] ^ 1 << rng.randrange(8)]) + data[k + 1 :]
        elif what == 1:
            data = data[:at]
        elif what == 2:
            data = data[:at] + data[other:]
        elif what == 3:
            data = data[:other] + data[at : min(other, at + _MOST)] + data[other:]
        elif what == 4:
            data = data[:at] + rng.choice(_ODD) + data[at:]
        elif what == 5:
            data = data[:at] + rng.randbytes(rng.randint(1, 16)) + data[min(len(data), at + rng.randint(0, 16)) :]
        else:
            number = rng.choice((0, 1, 127, 128, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1))
            size = rng.choice([size for size in (1, 2, 4, 8) if number < 256**size])
            data = data[:at] + number.to_bytes(size, rng.choice(("little", "big"))) + data[at + size :]
    return data
