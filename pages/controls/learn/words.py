"""What a step says and asks: text and formula; what to predict and to do; and what the engine answers."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lessons.base.lesson import Question, Step
from lessons.base.progress import StepDone
from lessons.base.tasks import Seen
from pages.controls.learn.place import Place, done_at
from pages.server.workspace import Workspace
from pages.views.formula import formula_html


def text(step: Step) -> None:
    """A few sentences, and the formula with a hint how to ask it."""
    st.markdown(step.text)
    if step.formula:
        st.html(formula_html(step.formula))


def notice(space: Workspace, place: Place, seen: Seen) -> StepDone:
    """Note that the task was done, once it was; gives what is done at this step."""
    done, task = done_at(space, place), place.step.task
    if task is not None and not done.done and task.done(seen):
        done = replace(done, done=True)
        space.belongings.progress[place.key] = done
    return done


def asked(space: Workspace, place: Place, done: StepDone, seen: Seen) -> None:
    """The question with its options, and what to do, with what is still missing."""
    step = place.step
    if step.question is not None:
        _question(space, place, step.question, done)
    if step.task is not None:
        st.markdown(f"{'✓' if done.done else '➜'} {step.task.words}")
        if not done.done and (missing := step.task.missing(seen)):
            st.markdown(missing)
    if step.question is not None and done.said is not None and not done.answered(step):
        st.button("Show the answer now", key="learn.skip", on_click=_skip, args=(space, place))


def _question(space: Workspace, place: Place, question: Question, done: StepDone) -> None:
    st.markdown(f"**{question.words}**")
    if done.said is None:
        for number, option in enumerate(question.options):
            st.button(
                option,
                key=f"learn.option.{number}",
                shortcut=str(number + 1),
                width="stretch",
                on_click=_predict,
                args=(space, place, number),
            )
        return
    st.markdown(f"You predict: {question.options[done.said]}")


def answer(place: Place, done: StepDone) -> None:
    """What is true, once it was predicted and the task is done."""
    question = place.step.question
    if question is None or not done.answered(place.step):
        return
    right = done.said == question.right
    with st.spinner("Measuring …"):
        why = question.answered()
    with st.container(key="learn.answer"):
        said = "✓ **Yes.**" if right else f"✗ **No: {question.options[question.right]}.**"
        st.markdown(f"{said} {why}")


def _predict(space: Workspace, place: Place, option: int) -> None:
    space.belongings.progress[place.key] = replace(done_at(space, place), said=option)


def _skip(space: Workspace, place: Place) -> None:
    space.belongings.progress[place.key] = replace(done_at(space, place), done=True)
