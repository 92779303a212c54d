"""Drawn faces, turned, scaled and lit from a side: how a face lies is to be found, not whose it is."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.entry import Parameter
from datasets.base.words import numbered
from datasets.generators.generated import generator

SIDE = 24  # pixels of a picture
_LARGEST = 35.0  # height of a face that would fill 90 % of the picture, in the units of `sizes`


def draw_faces(
    angles: np.ndarray, sizes: np.ndarray, people: np.ndarray, light: np.ndarray, random_state: int = 0
) -> np.ndarray:
    """Pictures, (n_samples, SIDE²), grey values from 0 to 1.

    angles: how far each face is turned, degrees, (n_samples,).
    sizes: height of each face; 35 nearly fills the picture, (n_samples,).
    people: whose face it is, from 0, (n_samples,): width, eyes, mouth and complexion differ.
    light: how much lighter a picture is towards the right and the bottom, (n_samples, 2).
    random_state: seed of what the people look like.
    """
    axis = (np.arange(SIDE) - (SIDE - 1) / 2) / (0.45 * SIDE)
    down, right = np.meshgrid(axis, axis, indexing="ij")
    pictures = np.empty((len(angles), SIDE, SIDE))
    for k, (angle, size, person) in enumerate(zip(np.deg2rad(angles), sizes, people, strict=True)):
        look = np.random.default_rng([random_state, int(person)])
        width, eyes, height, wide, mouth, skin = look.uniform(
            [0.65, 0.22, 0.12, 0.1, 0.38, 0.6], [0.85, 0.36, 0.3, 0.18, 0.55, 1.0]
        )
        scale = _LARGEST / size
        x = scale * (np.cos(angle) * right + np.sin(angle) * down)
        y = scale * (-np.sin(angle) * right + np.cos(angle) * down)

        def spot(at_x, at_y, radius_x, radius_y, x=x, y=y):  # type: ignore[no-untyped-def]
            """1 within an ellipse, 0 outside, with a soft edge."""
            far = np.sqrt(((x - at_x) / radius_x) ** 2 + ((y - at_y) / radius_y) ** 2)
            return 1.0 / (1.0 + np.exp((far - 1.0) * 8.0))

        face = skin * spot(0.0, 0.0, width, 1.0)
        for side in (-1.0, 1.0):
            face = face * (1.0 - 0.9 * spot(side * eyes, -height, wide, 0.1))
        face = face * (1.0 - 0.7 * spot(0.0, mouth, 0.32, 0.09))
        pictures[k] = face * (1.0 + 0.45 * (light[k, 0] * right + light[k, 1] * down))
    return pictures.reshape(len(angles), -1)


def pair_weights(
    angles: np.ndarray, sizes: np.ndarray, angle_noise: float = 1.22, size_noise: float = 1.5
) -> np.ndarray:
    """w_ab of eq. 8 of the NCA paper, (n_samples, n_samples): the density of Gaussian noise of 1.22 degrees and 1.5
    pixels between two pictures, over its largest."""
    far = (np.subtract.outer(angles, angles) / angle_noise) ** 2 + (np.subtract.outer(sizes, sizes) / size_noise) ** 2
    return np.asarray(np.exp(-0.5 * far))


def turned_faces(n_samples: int, n_people: int, light: float, noise: float, random_state: int) -> Dataset:
    """Faces of `n_people` people, turned by −45° to 45° and 25 to 35 pixels high, lit from a side, each at random.

    The label is the angle, a number; its ranges in the legend are five, equally often. `light` 0 is even light;
    `noise` is the standard deviation added to the grey values.
    """
    rng = np.random.default_rng(random_state)
    fifth = np.arange(n_samples, dtype=np.int64) % 5
    angles = -45.0 + 18.0 * (fifth + rng.uniform(size=n_samples))
    sizes = rng.uniform(25.0, 35.0, n_samples)
    people = rng.integers(0, n_people, n_samples)
    side = rng.uniform(0.0, 2.0 * np.pi, n_samples)
    X = draw_faces(angles, sizes, people, light * np.stack([np.cos(side), np.sin(side)], axis=1), random_state)
    names = ("-45° to -27°", "-27° to -9°", "-9° to 9°", "9° to 27°", "27° to 45°")
    return Dataset(
        name=f"Turned faces ({n_samples})",
        X=X + noise * rng.standard_normal(X.shape),
        y=fifth,
        feature_names=numbered("pixel", SIDE * SIDE),
        class_names=names,
        source=TURNED_FACES.source,
        image_shape=(SIDE, SIDE),
        target=angles,
    )


TURNED_FACES = generator(
    "turned_faces",
    "Turned faces",
    "Drawn faces, turned, scaled and lit from a side: PCA hardly tells how they lie, Neural NCA does.",
    turned_faces,
    Parameter("n_samples", "Pictures", 600, 60, 5_000, 20),
    Parameter("n_people", "People", 30, 2, 200, 1),
    Parameter("light", "Unevenness of the light", 1.3, 0.0, 2.0, 0.1),
    Parameter("noise", "Noise (standard deviation)", 0.02, 0.0, 1.0, 0.02),
    paper="Goldberger et al. (2004), section 5 and figure 3, whose photographs are not available",
)
