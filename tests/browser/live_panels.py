"""A stage with several live panels, fed with histories: what its tests share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pages.stage.scene import Panel
from pages.stage.wire import encode_scene
from tests.browser.stage_page import CORNERS, feed, scene_of, settle, snapshot, text_of

SCENE = scene_of(CORNERS, [0, 1, 2, 3])
PLACES = "[...stage.player.histories.values()].map((history) => history.at)"
TITLES = ("Standard", "Random start", "Shuffled", "D", "E", "F", "G", "H", "I")


def live_scene(count=2, still=False, **panel):
    live = tuple(Panel(f"nca-{k}", TITLES[k], np.eye(2), live=True, **panel) for k in range(count))
    return replace(SCENE, panels=(*(SCENE.panels[:1] if still else ()), *live))


def train(page, panel, seconds, run=None, **numbers):
    """A history for a panel: one snapshot for each of the seconds, scaled by 1, 2, 3 ..."""
    snapshots = (snapshot(k, np.eye(2) * (1 + k), seconds=s, **numbers) for k, s in enumerate(seconds))
    feed(page, *snapshots, panel=panel, run=run or panel + 1)


def text_of_scene(scene):
    return text_of(encode_scene(scene))


def scales(page):
    """By how much each panel's points are scaled now."""
    settle(page)
    return page.evaluate("stage.panels.map((panel) => panel.Y[2] / 2)")


def clock(page):
    return page.get_by_label("What the panels keep step by")
