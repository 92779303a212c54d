"""ShownScene: the scene of a workspace as the browser gets it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pages.stage.scene import Kind, Scene, with_rows
from pages.stage.wire import encode_scene


@dataclass(frozen=True)
class LivePanel:
    """What of a live panel the socket needs to know: its place in the scene, its key, its kind."""

    index: int
    key: str
    kind: Kind


@dataclass(frozen=True)
class ShownScene:
    """A scene as the browser gets it.

    Attributes
    ----------
    version : int
        Counts the scenes of the workspace; 0 is none yet.
    scene : Scene or None
        All of it; its bytes are made where a browser asks for them, which is seldom, and kept by nobody.
    samples : int
        Points before thinning.
    rows : np.ndarray
        Which of these are shown, (n_shown,).
    live : tuple[LivePanel, ...]
        Its live panels.
    """

    version: int = 0
    scene: Scene | None = None
    samples: int = 0
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))
    live: tuple[LivePanel, ...] = ()

    def encoded(self) -> bytes:
        """What travels to the browser; nothing where there is no scene."""
        return b"" if self.scene is None else encode_scene(with_rows(self.scene, self.rows))
