"""font: the letters of the page, for pictures that are drawn here; Pillow's own has Latin ones only."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

_FILE = "static/static/media/SourceSansVF-Upright*.woff2"  # comes with Streamlit: Latin, Greek, Cyrillic
_WEIGHT = "Regular"


@lru_cache(maxsize=4)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The page's font in so many pixels; Pillow's where a later Streamlit has it elsewhere."""
    streamlit = find_spec("streamlit")
    for folder in (streamlit.submodule_search_locations or ()) if streamlit else ():
        for file in Path(folder).glob(_FILE):
            try:
                found = ImageFont.truetype(file, size)
                found.set_variation_by_name(_WEIGHT)
            except OSError:  # a Pillow that cannot unpack it
                continue
            return found
    return ImageFont.load_default(size)
