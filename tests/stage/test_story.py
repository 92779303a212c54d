"""What the stage tells of a moment, against numbers counted here: what moved, why K̂ changed, what came of it."""

import numpy as np
import pytest

from tests.nca_core import textbook
from tests.stage.javascript import run

RNG = np.random.default_rng(3)
PERCENT = "\N{NO-BREAK SPACE}%"  # else a line ends between the number and its sign
LABELS = np.arange(90) % 3
X = RNG.normal(size=(90, 3)) * [1.0, 2.0, 0.5] + np.eye(3)[LABELS] * 2
HELD = np.arange(90) % 5 == 0
START = np.array([[0.1, 0.2, 0.9], [0.5, -0.3, 0.2]])
GROWN = 6.0 * START
TURNED = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.0]])


def entropies(A, rows=~HELD):
    """exp(mean entropy) of p_ij over the training rows."""
    return float(np.exp(textbook.entropies(A, X[rows]).mean()))


def rms(A):
    Y = X[~HELD] @ A.T
    return float(np.sqrt(Y.var(axis=0).sum()))


def weights(A):
    parts = X[~HELD].var(axis=0) * (A**2).sum(axis=0)
    return parts / parts.sum()


SHOWN = {"components": 2, "unit": 1, "labels": LABELS, "heldOut": HELD}
MOMENT = """async ([features, shown, frames, names, first, now]) => {
  const { resultSentence, featureSentence, neighbourSentence } = await import("./story.js");
  const { momentOf } = await import("./story.js");
  const { project } = await import("./projection.js");
  const { X, columns } = features, { components, labels } = shown;
  const [before, at] = frames.map((frame) => {
    const A = Float32Array.from(frame);
    return { A, Y: project(X, labels.length, columns, A, components) };
  });
  const moment = momentOf(features, shown, before, at);
  if (!now) return moment;
  const said = [featureSentence(moment, names, now.begun), neighbourSentence(first.k, now.k, moment, now.begun)];
  return [...said, resultSentence(first, now, now.begun)];
}"""


def moment(A0, A, *words):
    return run(MOMENT, [{"X": X.ravel(), "columns": 3}, SHOWN, [A0.ravel(), A.ravel()], *words])


def taken(A, mean_p, k=None):
    """A frame with its numbers; k is counted by default, NaN is unknown."""
    return A, {"mean_p": mean_p, "k": entropies(A) if k is None else k, "held_out_1nn": 0.5}


def tell(first, now=None, names=("ash", "oil", "tin")):
    """The three sentences about a frame after the first one, or about the first one itself."""
    (A0, start), (A, numbers) = first, now or first
    return moment(A0, A, list(names), start, {**numbers, "begun": now is not None})


def test_the_moment_is_counted_as_here():
    found = moment(START, TURNED)
    growth = rms(TURNED) / rms(START)
    assert found["growth"] == pytest.approx(growth, rel=1e-5)
    assert found["shares"] == pytest.approx(weights(TURNED), abs=1e-6)
    assert found["before"] == pytest.approx(weights(START), abs=1e-6)
    assert found["k"] == pytest.approx(entropies(TURNED), rel=1e-4)
    assert found["kAtStart"] == pytest.approx(entropies(TURNED / growth), rel=1e-4)
    everybody = entropies(TURNED, np.ones(90, bool))  # else counting held-out rows too would pass
    assert abs(everybody / entropies(TURNED) - 1) > 0.01


def test_of_many_rows_evenly_spread_ones_are_counted():
    """K̂ is counted of up to 3,000 training rows, over as many as make 120,000 pairs; of more, 2,000 tell the scale."""
    Y = np.random.default_rng(8).normal(size=(600, 2)) * np.geomspace(0.2, 3, 600)[:, None]
    entropy = textbook.entropies(np.eye(2), Y)
    found = run(
        """async (Y) => {
          const { effectiveNeighbours, momentOf, trainedRows } = await import("./story.js");
          const few = trainedRows(new Array(3001).fill(0), [true]), many = trainedRows(new Array(3001).fill(0), []);
          const line = (n) => {
            const Y = Float32Array.from({ length: n }, (_, i) => i % 7);
            const shown = { components: 1, unit: 1, labels: new Array(n).fill(0), heldOut: [] };
            return momentOf({ X: Y, columns: 1 }, shown, { A: [1], Y }, { A: [2], Y: Y.map((y) => 2 * y) });
          };
          return { k: effectiveNeighbours(Y, 2, new Array(600).fill(0), [...Array(600).keys()], 1),
            few: few.rows.length, many: many.rows,
            counted: line(3000).k, uncounted: [line(3001).k, line(3001).kAtStart], growth: line(3001).growth };
        }""",
        Y.ravel(),
    )
    assert found["k"] == pytest.approx(np.exp(entropy[::3].mean()), rel=1e-9)
    assert abs(np.exp(entropy.mean()) / found["k"] - 1) > 1e-3  # all of them would say something else
    assert found["few"] == 3_000
    assert found["many"] == [int(np.floor(k * 3001 / 2000)) for k in range(2000)]
    assert found["counted"] > 1
    assert np.isnan(found["uncounted"]).all()
    assert found["growth"] == pytest.approx(2, rel=1e-6)


def test_at_the_start_it_says_what_the_picture_is_made_of_and_what_k_is():
    features, k, result = tell(taken(START, 0.42))
    ash, oil, tin = (round(100 * share) for share in weights(START))
    assert tin > ash > oil
    assert features == f"Shares of the picture: tin: {tin}{PERCENT}; ash: {ash}{PERCENT}; oil: {oil}{PERCENT}."
    assert k == f"{entropies(START):.1f} neighbours typically influence a point (K̂)."
    assert "0.420 (f/n)" in result
    assert f"50{PERCENT} of held-out rows" in result


@pytest.mark.parametrize(("before", "after", "farther"), [(START, GROWN, True), (GROWN, START, False)])
def test_where_only_the_scale_changed_the_scale_is_the_reason(before, after, farther):
    features, k, result = tell(taken(before, 0.42), taken(after, 0.6))
    assert "about as much as at the start" in features
    start, now = entropies(before), entropies(after)
    assert abs(np.log(start / now)) > np.log(1.1)
    assert k.startswith(f"{now:.1f} neighbours typically influence a point (K̂); {start:.1f} at the start. ")
    assert ("6.0 times as large" in k, "0.17 times as large" in k) == (farther, not farther)
    assert ("farther apart" in k, "closer together" in k) == (farther, not farther)
    assert k.endswith(f"At the size of the start K̂ would be {start:.1f}.")
    assert "0.600 (f/n; 0.420 at the start)" in result


@pytest.mark.parametrize(("factor", "same"), [(1.08, True), (1.12, False)])
def test_a_k_that_changed_by_less_than_a_tenth_has_not_changed(factor, same):
    k = tell(taken(START, 0.42, k=factor * entropies(START)), taken(START, 0.5))[1]
    assert k.endswith("about as many as at the start.") == same


def test_where_the_picture_turned_at_the_same_size_the_scale_is_not_the_reason():
    """Two directions in which every point has a near neighbour, then one in which the points spread over a line."""
    line = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.05]])
    line *= rms(START) * 3 / rms(line)
    before = START * 3
    assert abs(np.log(entropies(before) / entropies(line))) > np.log(1.1)
    k = tell(taken(before, 0.4), taken(line, 0.5))[1]
    assert "Scale is not the reason: the picture is about as large as at the start" in k


def test_what_grew_and_what_shrank_is_named_and_many_features_are_counted():
    before, now = (100 * weights(A) for A in (START, TURNED))
    order = np.argsort(now - before)
    least, most = np.array(["ash", "oil", "tin"])[order[[0, -1]]]
    features = tell(taken(START, 0.42), taken(TURNED, 0.6))[0]
    assert features.startswith(f"{least} now makes up ")
    assert f"({before[order[0]]:.0f}{PERCENT} at the start)" in features
    assert f"; {most}: {now[order[-1]]:.0f}{PERCENT} ({before[order[-1]]:.0f}{PERCENT})" in features
    counted = tell(taken(START, 0.42), taken(TURNED, 0.6), names=())[0]
    assert counted.startswith(f"2 of 3 features make up 90{PERCENT} of the picture")


def test_a_k_that_is_not_counted_alike_here_is_given_no_reason():
    k = tell(taken(START, 0.42, k=30.0), taken(GROWN, 0.6, k=8.0))[1]
    assert k.endswith(
        "8.0 neighbours typically influence a point (K̂); 30.0 at the start. The picture is 6.0 times as large."
    )
    nothing = float("nan")
    assert tell(taken(START, nothing, k=nothing), taken(GROWN, nothing, k=nothing))[1:] == ["", ""]
