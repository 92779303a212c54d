"""A label of numbers from the Data page to the trained picture: matches come from the numbers, colours from ranges."""

from itertools import pairwise

import numpy as np
import pytest

from nca_core.neighbours.similarity import silverman_width
from tests.nca_core.textbook import probabilities
from tests.pages.app_page import run_of, said, space
from tests.stage.scene_bytes import array, head

_rng = np.random.default_rng(3)
ROOMS = np.round(_rng.normal(size=(80, 4)), 3)
PRICE = np.round(20 + 4 * ROOMS[:, 1] - 2 * ROOMS[:, 3] + 0.3 * _rng.normal(size=80), 2)
HOUSES = "crime,rooms,age,tax,medv\n" + "".join(
    ",".join(map(str, [*row, price])) + "\n" for row, price in zip(ROOMS, PRICE, strict=True)
)


@pytest.fixture
def page(data_page):
    return data_page


def bring_houses(page, text=HOUSES):
    page.file_uploader(key="data.upload").set_value(("houses.csv", text.encode(), "text/csv")).run()
    page.selectbox(key="data.table.label").set_value("medv").run()
    page.radio(key="data.label.mode").set_value("continuous").run()
    assert not page.error
    page.switch_page("explore.py").run()
    page.selectbox(key="explore.pace").set_value("full_speed").run()


def scene(page):
    return space(page).shown.encoded()


def expected_matches(X, A, target):
    """f = Σ_i Σ_j p_ij M_ij with a Gaussian of the numbers' differences."""
    matches = np.exp(-0.5 * ((target[:, None] - target[None, :]) / silverman_width(target)) ** 2)
    return float((probabilities(A, X) * matches).sum())


def accuracies(page):
    """The table of accuracies, beside that of the lines as read."""
    return next(frame.value for frame in page.dataframe if "Projection" in frame.value)


@pytest.mark.parametrize("start", ["pca", "lda"])
def test_training_goes_by_the_true_numbers_and_begins_where_the_stage_stands(page, start):
    bring_houses(page)
    assert page.selectbox(key="explore.nca.target_similarity").value == "gaussian"
    page.selectbox(key="explore.nca.start").set_value(start).run()
    assert list(accuracies(page)["Projection"]) == ["PCA", "LDA"]
    shown = array(scene(page), "panel2").reshape(2, 4)
    page.button(key="explore.train").click().run()
    run = run_of(page)
    assert run.wait_for_end(60)
    snapshots = run.trajectory.snapshots
    np.testing.assert_allclose(shown, snapshots[0].transformation, rtol=1e-5, atol=1e-7)
    X = (ROOMS - ROOMS.mean(axis=0)) / ROOMS.std(axis=0)
    for at in (snapshots[0], snapshots[-1]):
        assert at.objective == pytest.approx(expected_matches(X, at.transformation, PRICE), rel=1e-6)
    assert snapshots[-1].objective > 1.05 * snapshots[0].objective  # "lda" starts near the end already
    # What was learned looks at the two columns that the price is made from.
    lengths = np.linalg.norm(snapshots[-1].transformation, axis=0)
    assert set(np.argsort(lengths)[-2:]) == {1, 3}
    page.run()
    assert list(accuracies(page)["Projection"]) == ["PCA", "LDA", "NCA"]
    assert accuracies(page)["1-NN, training rows (optimistic)"].between(0, 1).all()


def test_the_ranges_colour_the_points_in_order_and_the_page_says_what_uses_them(page):
    page.switch_page("explore.py").run()  # on classes
    assert not [box for box in page.selectbox if box.key == "explore.nca.target_similarity"]
    of_classes = head(scene(page))
    assert (of_classes["ordered"], of_classes["note"]) == (False, "")
    page.switch_page("data.py").run()
    bring_houses(page)
    of_numbers = head(scene(page))
    assert of_numbers["ordered"] is True
    assert len(of_numbers["classes"]) == 6
    assert "can train on these" in of_numbers["note"]
    assert "all other methods go by" in of_numbers["note"]
    labels = array(scene(page), "labels")
    ranges = [PRICE[labels == k] for k in range(6)]
    for low, high in pairwise(ranges):
        assert low.max() < high.min()
    assert of_numbers["classes"][0].startswith("≤")
    assert ranges[0].max() <= float(of_numbers["classes"][0].split()[1]) < ranges[1].min()
    assert of_numbers["hover_names"][:2] == ["its number", "crime"]
    np.testing.assert_allclose(array(scene(page), "hover").reshape(80, 5)[:, 0], PRICE, rtol=1e-6)


def test_many_rows_become_a_sample_since_each_pair_is_compared(page):
    values = np.random.default_rng(0).integers(0, 1000, size=(6_000, 3))
    bring_houses(page, "a,b,medv\n" + "\n".join(",".join(map(str, row)) for row in values.tolist()) + "\n")
    assert page.number_input(key="explore.rows").value == 5_000
    assert any("5,000 of 6,000 rows, the same share" in caption for caption in said(page.caption))
    page.number_input(key="explore.rows").set_value(300).run()
    page.selectbox(key="explore.sampling").set_value("random").run()
    assert any("300 of 6,000 rows, drawn at random" in caption for caption in said(page.caption))
    page.button(key="explore.train").click().run()
    run = run_of(page)
    assert run.wait_for(2, 60)
    assert run.latest().objective < 300
    page.switch_page("data.py").run()
    assert any("sample of 300 of the 6,000 rows" in caption for caption in said(page.caption))
