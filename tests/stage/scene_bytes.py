"""What a scene says that was encoded for the browser."""

import json

import numpy as np


def head(scene: bytes) -> dict:
    return json.loads(scene[4 : 4 + int.from_bytes(scene[:4], "little")])


def array(scene: bytes, name: str) -> np.ndarray:
    at = head(scene)["arrays"][name]
    start = 4 + int.from_bytes(scene[:4], "little") + at["offset"]
    return np.frombuffer(scene, f"<{at['type']}", at["length"], start)
