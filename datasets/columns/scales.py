"""ordered_levels: answers on a scale, such as never, sometimes, often or 18-25, 26-35, 36+, in rising order."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Each line is a scale from its low to its high end; words between commas are one step.
_SCALES = """
never; almost never, very rarely; rarely, seldom; sometimes, occasionally; often, frequently; usually; always
none, not at all, no; very mild, slight, a little; mild, somewhat; moderate; severe, quite a bit; very severe, extremely
strongly disagree; disagree; rather disagree; neutral, neither agree nor disagree; rather agree; agree; strongly agree
very low; low; medium, middle, moderate, mid, average; high; very high
tiny, very small, xs; small, s; medium, m; large, big, l; huge, very large, xl
terrible, very poor, very bad; poor, bad; fair, average, ok, okay; good; very good; excellent
very dissatisfied; dissatisfied; neutral; satisfied; very satisfied
very unlikely; unlikely; neutral, neither likely nor unlikely; likely; very likely
very unimportant; unimportant; neutral; important; very important
first; second; third; fourth; fifth
nie; selten; manchmal, gelegentlich; oft, häufig; meistens; immer
niedrig, gering; mittel; hoch
jamais; rarement; parfois; souvent; toujours
nunca; rara vez, raramente; a veces; a menudo, frecuentemente; siempre
"""
SCALES = tuple(
    {word.strip(): step for step, words in enumerate(line.split(";")) for word in words.split(",")}
    for line in _SCALES.strip().splitlines()
)
_FEWEST, _MOST = 3, 15
_NUMBER = re.compile(r"(?P<below><|≤|under |below |less than |up to )?\s*[$€£]?\s*(?P<number>\d[\d,]*(?:\.\d+)?)")
_BOUNDS = re.compile(r"\d\s*(?:-|–|to|bis|à|\+|:|\.|=)\s*\S|\d\s*\+$|^[<>≤≥]|or more|and (?:over|up|above)|older")


def ordered_levels(levels: Sequence[str]) -> tuple[str, ...]:
    """The levels in rising order where all are steps of one scale, or begin with different numbers; else ()."""
    if not _FEWEST <= len(levels) <= _MOST:
        return ()
    plain = {level: " ".join(level.lower().replace("_", " ").split()) for level in levels}
    for scale in SCALES:
        steps = {level: scale.get(word) for level, word in plain.items()}
        if None not in steps.values() and len(set(steps.values())) == len(levels):
            return tuple(sorted(levels, key=lambda level: steps[level] or 0))
    begun = {level: _NUMBER.match(word) for level, word in plain.items()}
    places = {
        level: float(match["number"].replace(",", "")) - 0.5 * bool(match["below"])
        for level, match in begun.items()
        if match
    }
    bounds = sum(_BOUNDS.search(word) is not None for word in plain.values())
    if len(set(places.values())) < len(levels) or bounds < len(levels) / 2:
        return ()
    return tuple(sorted(levels, key=places.__getitem__))
