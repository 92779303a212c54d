"""The file that somebody brought along, and what was said about it, as a part of a store and a piece of its meta."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from datasets.proposals import Choices
from datasets.reading import ReadOptions
from pages.server.belongings import Belongings
from pages.server.packed import packed, unpacked
from pages.server.saved_parts import Parts
from pages.server.store import Store
from pages.server.upload import Upload


def save_uploads(own: Belongings, parts: Parts) -> dict[str, Any]:
    """What the meta says of the files; a file is written once, what is said of it each time.

    A file whose data set is there only has to be looked over again; any other is to be read as if it came now.
    """
    said: dict[str, Any] = {}
    resting = own.upload if own.upload is not None and own.upload.key in own.own_data else own.upload_before
    waiting = own.waiting_upload or (own.upload if own.upload is not resting else None)
    for place, upload in (("resting", resting), ("waiting", waiting)):
        if upload is None:
            continue
        said[place] = {
            "part": parts.keep(place, upload.data, "file", partial(_of_file, upload.data)),
            "filename": upload.filename,
            "options": asdict(upload.options),
            "sheet": upload.sheet,
            "choices": asdict(upload.choices),
            "image_shape": upload.image_shape,
            "key": upload.key,
        }
    return said


def _of_file(data: bytes) -> bytes:
    return packed(data=np.frombuffer(data, dtype=np.uint8))


def take_uploads_back(own: Belongings, store: Store, folder: str, said: Mapping[str, Any]) -> None:
    """Put the files where the page looks for them; it reads them when it is run next."""
    found = {place: _upload(store, folder, one) for place, one in said.items()}
    own.upload_before, own.waiting_upload = found.get("resting"), found.get("waiting")


def _upload(store: Store, folder: str, said: Mapping[str, Any]) -> Upload:
    options, choices = ({name: _frozen(value) for name, value in said[part].items()} for part in ("options", "choices"))
    return Upload(
        said["filename"],
        unpacked(store.read(folder, said["part"]))["data"].tobytes(),
        ReadOptions(**options),
        said["sheet"],
        Choices(**choices),
        image_shape=_frozen(said["image_shape"]),
        key=said["key"],
    )


def _frozen(value: Any) -> Any:
    """Lists, which JSON makes of tuples, as tuples again."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
