"""The bars and the sentence of a spectrum."""

import numpy as np

from pages.views.figures import MOST_BARS, spectrum_figure, spectrum_sentence


def test_bars_are_the_eigenvalues_and_those_on_the_stage_stand_out():
    bars = spectrum_figure(np.array([5.0, 3.0, 1.0, 0.5]), 2).data[0]
    assert list(bars.y) == [5.0, 3.0, 1.0, 0.5]
    assert bars.marker.color[0] == bars.marker.color[1] != bars.marker.color[2] == bars.marker.color[3]
    assert len(spectrum_figure(np.linspace(9, 0, 200), 2).data[0].y) == MOST_BARS


def test_the_sentence_says_the_share_of_the_trace():
    said = spectrum_sentence("MCML", np.array([6.0, 2.0, 1.0, 1.0]), 2)
    assert (
        said
        == "MCML: the 2 axes on the stage hold 80\N{NO-BREAK SPACE}% of the trace of its 4-dimensional metric (blue)."
    )
    assert "100\N{NO-BREAK SPACE}%" in spectrum_sentence("MCML", np.zeros(4), 2)
