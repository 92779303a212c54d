"""The thumbnail as SVG: every point where it belongs, colours as on the stage, labels as text only."""

import base64
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.previews import Thumbnail, thumbnail
from pages.views.thumbnail import COLOURS, thumbnail_image, thumbnail_svg

SVG = "{http://www.w3.org/2000/svg}"


def dots(svg):
    """(x, y, colour) of each dot."""
    root = ET.fromstring(svg)
    assert root.tag == SVG + "svg"
    paths = [(path.get("stroke"), re.findall(r"M(-?\d+) (-?\d+)h0", path.get("d"))) for path in root.iter(SVG + "path")]
    return [(int(x), int(y), colour) for colour, places in paths for x, y in places]


def test_places_keep_the_shape_and_colours_the_class():
    square = Thumbnail(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]), np.array([0, 1, 0, -1]))
    found = {(x, y): colour for x, y, colour in dots(thumbnail_svg(square))}
    xs, ys = sorted({x for x, _ in found}), sorted({y for _, y in found})
    assert xs[1] - xs[0] == ys[1] - ys[0] == 118  # one scale for both axes, inside the frame
    assert found[(xs[0], ys[1])] == COLOURS[0]  # y grows upwards
    assert found[(xs[1], ys[1])] == COLOURS[1]
    assert found[(xs[0], ys[0])] not in COLOURS


NOWHERE = Thumbnail(np.zeros((0, 2)), np.zeros(0, dtype=int))
ONE_PLACE = Thumbnail(np.ones((3, 2)), np.array([0, 1, 9]))


@pytest.mark.parametrize("picture", ["wine", "digits", "pure_noise", "balance", None, NOWHERE, ONE_PLACE])
def test_every_point_is_inside_the_frame_and_the_text_is_small(picture):
    picture = thumbnail(load_dataset(picture)) if isinstance(picture, str) else picture
    svg = thumbnail_svg(picture)
    found = dots(svg)
    assert len(found) == (0 if picture is None else len(picture.points))
    assert all(0 <= x <= 240 and 0 <= y <= 130 for x, y, _ in found)
    assert len(svg) < 5_000
    assert "nan" not in svg


def test_a_hostile_name_is_text_and_the_image_is_the_svg():
    name, picture = '"><script>alert(1)</script>', thumbnail(load_dataset("iris"))
    root = ET.fromstring(thumbnail_image(picture, name).removesuffix(">") + "/>")
    assert root.get("alt") == name
    kind, data = root.get("src").split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == thumbnail_svg(picture)
