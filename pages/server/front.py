"""The table that somebody brought along, where it is what the Explore page is about; and why it may not train yet."""

from __future__ import annotations

from pages.server.data import chosen_key, table_waits
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def table_in_front(space: Workspace) -> Upload | None:
    """The table brought along, where it is the one that was chosen, or dropped last and not fit to be shown yet."""
    upload = space.belongings.upload
    if upload is None:
        return None
    if table_waits(space):
        return upload
    return upload if upload.key and chosen_key(space) == upload.key else None


def why_not_train(space: Workspace) -> str:
    """Why no training may begin, for people: nothing else is ever trained in the place of a table that waits."""
    failed = space.belongings.failed_upload
    if failed is not None and failed.question is not None:
        return f"{failed.filename} waits for an answer to its question."
    upload = table_in_front(space)
    return upload.why_not_ready if upload is not None else ""
