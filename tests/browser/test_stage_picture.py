"""Pictures of the stage: real shapes where the points are, the words as text, sizes as asked, a raster of very many."""

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.browser import stage_page
from tests.browser.stage_page import HOSTILE, scene_with

PICTURE = """
async ([name, most]) => {
  const { pictureOf } = await import("./picture.js");
  const text = new XMLSerializer().serializeToString(pictureOf(stage, name, most));
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const all = (query) => [...svg.querySelectorAll(query)];
  return {
    text,
    tags: [...new Set(all("*").map((each) => each.tagName))].sort(),
    words: all("text").map((each) => each.textContent),
    points: all("g[clip-path] path").map((each) => ({
      at: each.getAttribute("transform").match(/-?[\\d.]+/g).slice(0, 2).map(Number),
      fill: each.getAttribute("fill"), d: each.getAttribute("d"),
    })),
    edges: all("g[clip-path] line").length,
    images: all("image").map((each) => each.getAttribute("href").slice(0, 22)),
    size: [svg.getAttribute("width"), svg.getAttribute("height")].map(Number),
  };
}
"""


def points(n=12, d=2):
    rng = np.random.default_rng(3)
    scene = scene_with(rng.normal(size=(n, 4)), np.arange(n) % 3, d=d, names=("a", HOSTILE, "c"))
    held_out = np.zeros(n, bool)
    held_out[:2] = True
    return replace(scene, held_out=held_out)


@pytest.mark.parametrize("d", [2, 3])
def test_a_shape_stands_where_each_point_is(blank, d):
    stage_page.show(blank, points(d=d))
    blank.evaluate("stage.hidden.add(2); stage.chosen()")
    stage_page.settle(blank)
    found = blank.evaluate(PICTURE, ["wine </title><script>", 20_000])
    assert "script" not in found["tags"]
    assert "img" not in found["tags"]
    assert HOSTILE in found["words"]  # a class in the legend
    assert "wine </title><script>" in found["words"]
    assert "c" not in found["words"]  # it is hidden
    panels = blank.evaluate(
        "stage.panels.map(({ xs, ys, ratio }) => [...xs].map((x, i) => [x / ratio, ys[i] / ratio]))"
    )
    wanted = sorted([round(x, 1), round(y + 20, 1)] for panel in panels for i, (x, y) in enumerate(panel) if i % 3 < 2)
    assert sorted([round(x, 1), round(y, 1)] for x, y in (p["at"] for p in found["points"])) == pytest.approx(
        np.array(wanted), abs=0.11
    )
    assert sum(p["fill"] == "none" for p in found["points"]) == 4  # two held out in two panels
    assert found["edges"] == (0 if d == 2 else 2 * 2 * 12)  # of each panel's box twelve, in two halves
    assert len({p["d"] for p in found["points"]}) == 2  # a shape each class


def test_very_many_points_are_a_raster_and_files_are_as_large_as_asked_for(blank):
    stage_page.show(blank, points(40))
    found = blank.evaluate(PICTURE, ["x", 79])
    assert (found["points"], found["images"]) == ([], ["data:image/png;base64,"] * 2)
    found = blank.evaluate(PICTURE, ["x", 80])
    assert len(found["points"]) == 80
    for form, starts in (("png2", b"\x89PNG"), ("svg", b"<svg")):
        with blank.expect_download() as saved:
            save = "async (form) => (await import('./picture.js')).savePicture(stage, form, 'my: data')"
            blank.evaluate(save, form)
        assert saved.value.suggested_filename == f"my-data.{form[:3]}"
        data = Path(saved.value.path()).read_bytes()
        assert data.startswith(starts)
        if form == "png2":
            assert struct.unpack(">II", data[16:24]) == tuple(round(2 * side) for side in found["size"])
