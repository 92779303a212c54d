"""Each table of the corpus trains at once with the right label, columns and rows, or after one first answer."""

import warnings

import numpy as np
import pytest

from datasets.base.dataset import UNLABELLED
from datasets.columns import build_dataset
from datasets.proposals import apply, propose
from datasets.reading import FaultyLinesError, ReadOptions, read_table
from tests.datasets.corpus import tables
from tests.datasets.corpus.messy import TABLES, MessyTable

assert tables  # which enters them in TABLES when it is imported


def opened(messy: MessyTable):
    """(table, keys of the questions that were asked while it was read)."""
    if "faulty_lines" not in messy.asks:
        return read_table(messy.data, messy.name), []
    with pytest.raises(FaultyLinesError) as caught:
        read_table(messy.data, messy.name)
    assert caught.value.can_skip
    return read_table(messy.data, messy.name, ReadOptions(faulty_lines="skip")), ["faulty_lines"]


@pytest.mark.parametrize("name", TABLES)
def test_trains_at_once_or_after_first_answers(name):
    messy = TABLES[name]()
    table, asked = opened(messy)
    proposal = propose(table)
    plan = apply(proposal)
    first = plan
    assert plan.choices.is_empty
    assert not any(column.said or column.odd_said for column in plan.planned)
    assert plan.label is None or not plan.label.said
    while not plan.ready:
        question = plan.questions[0]
        assert question.blocking
        assert question.key not in asked, "a question is not settled by its first answer"
        asked.append(question.key)
        plan = apply(proposal, question.answers[0].choices)
    assert len(asked) <= 1
    assert set(asked) <= set(messy.asks)
    assert plan.label is not None
    assert plan.label.name == messy.label
    assert plan.columns.features == messy.features
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = build_dataset(plan.table, plan.columns)
    assert dataset.n_samples == messy.n_rows
    assert dataset.n_classes == messy.n_classes
    assert np.isfinite(dataset.X).all()
    assert (dataset.y != UNLABELLED).sum() > 2
    said = " ".join([*first.costs, *(question.text for question in first.questions), *dataset.notes])
    for words in messy.notes:
        assert words in said
