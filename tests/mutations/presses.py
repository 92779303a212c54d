"""What is broken on purpose where two things are pressed in quick succession."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_EVERY = ("tests/pages/server/test_every_press.py",)
_TWO = ("tests/pages/test_two_presses.py",)
_CHOICES = ("tests/datasets/proposals/test_choices.py",)
_RUN = ("tests/nca_core/test_run.py",)

PRESSES: tuple[Mutation, ...] = (
    Mutation("pages/server/every_press.py", 'getattr(session._scriptrunner, "_unheard", False)', "False", _EVERY),
    Mutation("pages/server/every_press.py", "                heard(runner)\n", "                pass\n", _EVERY),
    Mutation("pages/server/every_press.py", "waiting.popleft()", "waiting.pop()", _EVERY),
    Mutation("pages/server/every_press.py", "said = of_whole_page(said)", "pass", _EVERY),
    Mutation(
        "pages/server/every_press.py",
        "                    runner._unheard = True\n",
        "                    pass\n",
        _EVERY,
    ),
    Mutation("pages/controls/base/asked.py", " if page == _page()]", "]", _TWO),
    Mutation("pages/controls/base/asked.py", "for said in here if said[1] not in acts", "for said in here", _TWO),
    Mutation("pages/controls/base/asked.py", "return bool(asked_here(act)) and not disabled", "return False", _TWO),
    Mutation("pages/controls/base/asked.py", "bool(asked_here(act)) and not disabled", "bool(asked_here(act))", _TWO),
    Mutation("pages/controls/base/asked.py", 'act = f"{key} {of}"', 'act = f"{key} mine"', _TWO),
    Mutation("pages/controls/base/asked.py", "if acts and said[1] not in acts", "if False", _TWO),
    Mutation(
        "pages/controls/base/unexpected.py",
        "    except PageEnd:\n        pass\n",
        "    except PageEnd:\n        st.stop()\n",
        _TWO,
    ),
    Mutation("pages/controls/recipe/transport.py", "if trains or act not in _BEGIN:", "if True:", _TWO),
    Mutation("pages/controls/recipe/transport.py", "    forget_asked(*_ACTS)\n", "", _TWO),
    Mutation("pages/controls/learn/place.py", "    forget_asked()  # of", "    pass  # of", _TWO),
    Mutation("pages/main.py", "forget_asked()  # what", "pass  # what", _TWO),
    Mutation("pages/controls/compare/panel_change.py", "return []", "raise", _TWO),
    Mutation("pages/controls/base/bound.py", "recipe if panel is None else ", "", _TWO),
    Mutation("pages/controls/recipe/data_choice.py", "_with_parameter(recipe.data,", "_with_parameter(data,", _TWO),
    Mutation("pages/controls/table/upload_state.py", "return waiting if same else upload", "return upload", _TWO),
    Mutation("pages/controls/table/questions.py", "said_over, asked)", "said_over, answer.choices)", _TWO),
    Mutation("datasets/proposals/choices.py", "if mine.get(key) != before.get(key):", "if True:", _CHOICES),
    Mutation("nca_core/run.py", "iterations + max(left, 0.0)", "iterations", _RUN),
    Mutation("nca_core/run.py", "if more and math.isfinite(self._allowed) else", "if more else", _RUN),
)
