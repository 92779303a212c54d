"""The file that somebody brought along, and what was said about it, as a part of a store and a piece of its meta."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from datasets.proposals import Choices
from datasets.reading import ReadOptions
from pages.server.belongings import Belongings
from pages.server.packed import packed, unpacked
from pages.server.store import Store
from pages.server.upload import Upload

Files = Mapping[str, tuple[bytes, str]]  # the bytes of a file and the part that has them


def save_uploads(own: Belongings, store: Store, folder: str, before: Files, parts: dict[str, int]) -> tuple[Any, Files]:
    """What the meta says of the files, and which there are; a file is written once, what is said of it each time.

    A file whose data set is there only has to be looked over again; any other is to be read as if it came now.
    """
    said: dict[str, Any] = {}
    files = {}
    resting = own.upload if own.upload is not None and own.upload.key in own.own_data else own.upload_before
    waiting = own.waiting_upload or (own.upload if own.upload is not resting else None)
    for place, upload in (("resting", resting), ("waiting", waiting)):
        if upload is None:
            continue
        known, name = before.get(place, (None, ""))
        if known is not upload.data:
            name = f"file-{hashlib.sha256(upload.data).hexdigest()[:40]}.npz"
            if name not in {part for _, part in before.values()} | parts.keys():
                store.write(folder, name, packed(data=np.frombuffer(upload.data, dtype=np.uint8)))
        parts[name] = 0
        files[place] = upload.data, name
        said[place] = {
            "part": name,
            "filename": upload.filename,
            "options": asdict(upload.options),
            "sheet": upload.sheet,
            "choices": asdict(upload.choices),
            "image_shape": upload.image_shape,
            "key": upload.key,
        }
    return said, files


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
