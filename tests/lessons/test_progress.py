"""What a reader has done, through the browser's storage and in the file to hand in."""

import json

import pytest

from lessons import LESSONS
from lessons.base.lesson import StepDone, from_browser, merge, right_of, to_browser, to_hand_in
from lessons.base.own import Goal, OwnLesson, OwnStep

PROGRESS = {("scale", 0): StepDone(1, True), ("own:ab", 2): StepDone(words="I think so"), ("pull", 1): StepDone()}


def test_what_was_done_comes_back():
    sent = json.loads(json.dumps(to_browser(PROGRESS)))
    assert from_browser(sent) == {place: done for place, done in PROGRESS.items() if done != StepDone()}


@pytest.mark.parametrize(
    "sent", [None, 5, [], {"scale": [1, True, ""]}, {"scale/x": [1, True, ""]}, {"scale/1": 7}, {"scale/1": [1, True]}]
)
def test_what_is_no_progress_does_not_count(sent):
    assert from_browser(sent) == {}


def test_only_well_formed_values_count():
    sent = {"scale/1": ["x", 1, 5], "pull/0": [-1, True, "y" * 5_000]}
    assert from_browser(sent) == {("scale", 1): StepDone(), ("pull", 0): StepDone(None, True, "y" * 1_000)}
    assert len(from_browser({f"own/{k % 90}{k}": [0, True, ""] for k in range(5_000)})) <= 600


def test_neither_side_loses_what_the_other_does_not_know():
    progress = {("scale", 0): StepDone(1), ("pull", 0): StepDone(done=True)}
    merge(progress, {("scale", 0): StepDone(2, True), ("pull", 0): StepDone(0), ("k", 0): StepDone(2)})
    assert progress == {("scale", 0): StepDone(1, True), ("pull", 0): StepDone(0, True), ("k", 0): StepDone(2)}


def test_the_file_to_hand_in_says_what_was_predicted_and_what_was_right():
    own = OwnLesson(
        "Mine",
        (
            OwnStep("a", "Which?", ("this", "that"), 1, "That.", Goal()),
            OwnStep("b", "Why?", answer="Because."),
            OwnStep("c"),
        ),
    ).lesson()
    progress = {(own.key, 0): StepDone(0, True), (own.key, 1): StepDone(words="so")}
    read = json.loads(to_hand_in(own, progress, "Ann"))
    assert (read["lesson"], read["name"], read["right"], read["questions"]) == ("Mine", "Ann", 0, 1)
    first, second, third = read["steps"]
    assert (first["predicted"], first["right"], first["done"]) == ("this", False, True)
    assert second["predicted"] == "so"
    assert third == {"step": 3}
    assert right_of(own, {(own.key, 0): StepDone(1)}) == (1, 1)
    assert right_of(LESSONS["scale"], {("scale", 0): StepDone(1), ("scale", 1): StepDone(0)}) == (1, 5)
