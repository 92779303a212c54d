"""What a line of a libsvm (svmlight) file looks like: a label, then index:value pairs, "1 3:0.5 7:1.2 # a remark"."""

from __future__ import annotations

import re
from itertools import pairwise

_NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LINE = re.compile(rb"%s(?:[ \t]+qid:\d+)?(?P<pairs>(?:[ \t]+\d+:%s)*)[ \t]*(?:#.*)?" % (_NUMBER, _NUMBER))
_START, _LINES = 200_000, 50


def is_svmlight(data: bytes) -> bool:
    """Whether the first lines all look so, and some have two pairs with growing indices, as times of day have not."""
    lines = data[:_START].removeprefix(b"\xef\xbb\xbf").splitlines()
    if len(data) > _START:
        lines = lines[:-1]  # cut in the middle
    several = False
    for line in [line.strip() for line in lines if line.partition(b"#")[0].strip()][:_LINES]:
        found = _LINE.fullmatch(line)
        if found is None:
            return False
        indices = [int(pair.partition(b":")[0]) for pair in found["pairs"].split()]
        if any(b <= a for a, b in pairwise(indices)):
            return False
        several |= len(indices) > 1
    return several
