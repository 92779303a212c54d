"""What the stage tells of a moment, against numbers counted here: what moved, why K̂ changed, what came of it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from nca_core.snapshot import Snapshot
from tests.browser.live_panels import TITLES, live_scene, train
from tests.browser.stage_page import feed, scene_of, settle

RNG = np.random.default_rng(3)
PERCENT = "\N{NO-BREAK SPACE}%"  # else a line ends between the number and its sign
LABELS = np.arange(90) % 3
X = RNG.normal(size=(90, 3)) * [1.0, 2.0, 0.5] + np.eye(3)[LABELS] * 2
HELD = np.arange(90) % 5 == 0
START = np.array([[0.1, 0.2, 0.9], [0.5, -0.3, 0.2]])
GROWN = 6.0 * START
TURNED = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.0]])


def entropies(A, rows=~HELD):
    """exp(mean entropy) of p_ij over the training rows, by plain numpy in double precision."""
    Y = X[rows] @ A.T
    squares = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    p = np.exp(-(squares - squares.min(axis=1, keepdims=True)))
    p /= p.sum(axis=1, keepdims=True)
    return float(np.exp(-np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(axis=1).mean()))


def rms(A):
    Y = X[~HELD] @ A.T
    return float(np.sqrt(Y.var(axis=0).sum()))


def weights(A):
    parts = X[~HELD].var(axis=0) * (A**2).sum(axis=0)
    return parts / parts.sum()


def taken(iteration, A, mean_p, k=None, held_out=0.5):
    k = entropies(A) if k is None else k
    return Snapshot(iteration, A, mean_p, mean_p, 0.1, k, k, accuracy_1nn=0.9, held_out_1nn=held_out)


@pytest.fixture
def told(opened):
    """A function that feeds snapshots and gives the sentences about the last one."""

    def tell(*snapshots, names=("ash", "oil", "tin"), **changes):
        scene = scene_of(X, LABELS, names=("a", "b", "c"))
        page = opened(replace(scene, held_out=HELD, feature_names=names, **changes))
        feed(page, *snapshots)
        page.evaluate("stage.seek(stage.player.last)")
        settle(page)
        page.wait_for_timeout(400)
        return page.locator(".story p").all_inner_texts()

    return tell


def test_the_moment_is_counted_as_here(opened):
    page = opened(replace(scene_of(X, LABELS, names=("a", "b", "c")), held_out=HELD))
    found = page.evaluate(
        """async ([A0, A]) => {
          const { momentOf } = await import("./moment.js");
          const { features: [set], heldOut, labels } = stage.scene;
          const at = momentOf({ ...set, unit: 1 }, 2, labels, heldOut, Float32Array.from(A0), Float32Array.from(A));
          return { ...at, before: [...at.before], shares: [...at.shares] };
        }""",
        [START.ravel().tolist(), TURNED.ravel().tolist()],
    )
    growth = rms(TURNED) / rms(START)
    assert found["growth"] == pytest.approx(growth, rel=1e-5)
    assert found["shares"] == pytest.approx(weights(TURNED), abs=1e-6)
    assert found["before"] == pytest.approx(weights(START), abs=1e-6)
    assert found["k"] == pytest.approx(entropies(TURNED), rel=1e-4)
    assert found["kAtStart"] == pytest.approx(entropies(TURNED / growth), rel=1e-4)
    everybody = entropies(TURNED, np.ones(90, bool))  # else counting held-out rows too would pass
    assert abs(everybody / entropies(TURNED) - 1) > 0.01


def test_of_many_rows_every_so_manieth_is_asked(opened):
    """K̂ is counted of up to 3,000 training rows, over as many as make 120,000 pairs; of more, 2,000 tell the scale."""
    page = opened(scene_of(X, LABELS, names=("a", "b", "c")))
    Y = np.random.default_rng(8).normal(size=(600, 2)) * np.geomspace(0.2, 3, 600)[:, None]
    squares = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    p = np.exp(-squares)
    p /= p.sum(axis=1, keepdims=True)
    entropy = -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(axis=1)
    found = page.evaluate(
        """async (Y) => {
          const { effectiveNeighbours, momentOf, trainedRows } = await import("./moment.js");
          const few = trainedRows(new Array(3001).fill(0), [true]), many = trainedRows(new Array(3001).fill(0), []);
          const line = (n) => momentOf({ X: Float32Array.from({ length: n }, (_, i) => i % 7), columns: 1, unit: 1 },
            1, new Array(n).fill(0), [], [0.1], [0.2]);
          return { k: effectiveNeighbours(Float64Array.from(Y), 2, 1), few: few.rows.length, many: many.rows,
            counted: line(3000).k, uncounted: [line(3001).k, line(3001).kAtStart], growth: line(3001).growth };
        }""",
        Y.ravel().tolist(),
    )
    assert found["k"] == pytest.approx(np.exp(entropy[::3].mean()), rel=1e-9)
    assert abs(np.exp(entropy.mean()) / found["k"] - 1) > 1e-3  # all of them would say something else
    assert found["few"] == 3_000
    assert found["many"] == [int(np.floor(k * 3001 / 2000)) for k in range(2000)]
    assert found["counted"] > 1
    assert np.isnan(found["uncounted"]).all()
    assert found["growth"] == pytest.approx(2, rel=1e-6)


def test_of_many_live_panels_three_are_told(opened):
    page = opened(live_scene(4))
    for k in range(4):
        train(page, k, [0.1, 0.2])
    page.evaluate("stage.seek(stage.player.last)")
    settle(page)
    page.wait_for_timeout(400)  # at rest all of them are told at once
    told = page.locator(".story").inner_text()
    assert [f"{title}, iteration 1" in told for title in TITLES[:4]] == [True, True, True, False]


def test_at_the_start_it_says_what_the_view_is_made_of_and_what_k_is(told):
    first = taken(0, START, 0.42)
    made, k, came = told(first)
    ash, oil, tin = (round(100 * share) for share in weights(START))
    assert tin > ash > oil
    assert made == f"Iteration 0: the view is made of tin {tin}{PERCENT}, ash {ash}{PERCENT}, oil {oil}{PERCENT}."
    assert k == f"Each point effectively looks at {first.k_mean_entropy:.1f} neighbours (K̂)."
    assert came.startswith("A training point picks a neighbour of its class with a chance of 0.42 (f/n).")
    assert came.endswith(f"Of the held-out rows, 50{PERCENT} have a nearest neighbour of their class.")


def test_where_only_the_scale_grew_the_scale_is_the_reason(told):
    made, k, came = told(taken(0, START, 0.42), taken(1, GROWN, 0.6))
    assert "about as much as at the start" in made
    start, now = entropies(START), entropies(GROWN)
    assert k == (
        f"Each point effectively looks at {now:.1f} neighbours (K̂), {start:.1f} at the start: the training has "
        f"made the view 6.0 times as large, so the points stand farther apart (at the scale of the start it would "
        f"still be {start:.1f})."
    )
    assert "0.60 (f/n), 0.42 at the start" in came


def test_where_the_view_shrank_more_neighbours_count(told):
    k = told(taken(0, GROWN, 0.6), taken(1, START, 0.5))[1]
    assert entropies(START) > 1.1 * entropies(GROWN)
    assert f"the training has made the view {1 / 6:.2f} times as large, so the points stand closer together" in k


def test_a_k_that_changed_by_less_than_a_tenth_has_not_changed(told):
    start = entropies(START)
    for factor, same in ((1.08, True), (1.12, False)):
        k = told(taken(0, START, 0.42, k=factor * start), taken(1, START, 0.5))[1]
        assert k.endswith("neighbours (K̂), about as many as at the start.") == same


def test_where_the_view_turned_at_the_same_size_the_scale_is_not_the_reason(told):
    """Two directions in which every point has a near neighbour, then one in which the points spread over a line."""
    line = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.05]])
    line *= rms(START) * 3 / rms(line)
    before = START * 3
    assert abs(np.log(entropies(before) / entropies(line))) > np.log(1.1)
    k = told(taken(0, before, 0.4), taken(1, line, 0.5))[1]
    assert "Not by its scale: the view is about as large as at the start" in k


def test_what_grew_and_what_shrank_is_named(told):
    made = told(taken(0, START, 0.42), taken(3, TURNED, 0.6))[0]
    before, now = (100 * weights(A) for A in (START, TURNED))
    order = np.argsort(now - before)
    names = np.array(["ash", "oil", "tin"])
    least = names[order[0]]
    assert made.startswith(
        f"Iteration 3: of the view, the training has shrunk {least} from {before[order[0]]:.0f}{PERCENT} to "
    )
    assert "stretched" in made


def test_many_features_are_counted_and_not_named(told):
    made = told(taken(0, START, 0.42), taken(1, TURNED, 0.6), names=())[0]
    assert made.startswith(f"Iteration 1: of 3 features, 2 make 90{PERCENT} of the view")


def test_a_k_that_is_not_counted_alike_here_is_given_no_reason(told):
    k = told(taken(0, START, 0.42, k=30.0), taken(1, GROWN, 0.6, k=8.0))[1]
    assert k == "Each point effectively looks at 8.0 neighbours (K̂), 30.0 at the start; the view is 6.0 times as large."


def test_nothing_is_told_of_numbers_that_are_not_there(told):
    nothing = float("nan")
    only = told(taken(0, START, nothing, k=nothing), taken(1, GROWN, nothing, k=nothing))
    assert len(only) == 1
    assert "ash" in only[0]


def test_it_follows_the_scrubber_and_goes_with_the_run(told, blank):
    told(taken(0, START, 0.42), taken(1, GROWN, 0.6))
    first = blank.locator(".story p").first
    expect(first).to_contain_text("Iteration 1")
    blank.evaluate("stage.seek(0)")
    expect(first).to_contain_text("Iteration 0")
    blank.evaluate("stage.setRuns({ nca: { run: 2, state: 'running' } })")
    expect(first).to_have_text(re.compile("as soon as a training has begun"))
