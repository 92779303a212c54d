"""What is broken on purpose in the holding of workspaces: whose they are, how much they take, who is let in."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_HUB = ("tests/pages/server/test_hub.py",)
_LINKS = ("tests/pages/test_explore_links.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)
_SCENE_SENT = ("tests/pages/server/test_scene_sent.py",)
_OWNER = ("tests/pages/server/test_middleware.py",)
_HOSTS = ("tests/pages/server/test_middleware.py",)
_MEMORY = ("tests/pages/server/test_memory.py",)
_LIVE = ("tests/pages/server/test_live_states.py",)
_TURNS = ("tests/pages/server/test_turns.py",)
_CHILD_READS = ("tests/datasets/reading/test_child.py",)
_TRAININGS = ("tests/pages/server/test_trainings.py",)
_SESSION_LOCK = ("tests/pages/server/test_compat.py",)
_SAVER = ("tests/pages/server/test_saver.py",)
_RESTORE = ("tests/pages/server/test_restore.py",)
_SAVED_JOBS = ("tests/pages/server/test_saved_jobs.py",)
_OTHER_ROWS = ("tests/pages/server/test_other_rows.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_UPLOADS = ("tests/pages/server/test_uploads_guard.py",)
_CHILD = ("tests/datasets/base/test_child_process.py",)
_TABLE = ("tests/datasets/reading/test_table.py",)
_FOLDED = ("tests/pages/test_explore.py::test_what_is_folded_makes_no_widget",)
_DROPPED = ("tests/pages/test_dropped_table.py::test_streamlit_keeps_no_second_hold_on_the_file",)
_START = ("tests/test_start.py::test_the_server_answers_before_it_has_loaded_what_takes_long",)
_SWITCH = ("tests/test_start.py::test_threads_that_compute_keep_a_page_waiting_for_a_millisecond",)
_GATE = ("tests/nca_core/test_gate.py",)
_FEED = ("tests/browser/test_stage_feed.py",)
_EMBEDDINGS = ("tests/pages/server/test_embeddings.py",)
_METHODS = ("tests/pages/test_methods_on_explore.py",)
_FEATURES = ("tests/study/test_features.py",)

HOLD: tuple[Mutation, ...] = (
    Mutation(
        "pages/server/trainings.py", "measurements(space, comparison)\n\n    leave", "pass\n\n    leave", _TRAININGS
    ),
    Mutation(
        "pages/server/jobs.py",
        "        self.cancel(name)\n        self[name]",
        "        self[name]",
        ("tests/pages/server/test_jobs.py",),
    ),
    Mutation("pages/server/routes.py", "space.belongs_to(owner_of(asks.cookies))", "True", _ROUTES),
    Mutation("pages/server/hub.py", "if space.belongs_to(owner)]", "]", _HUB),
    Mutation("pages/server/hub.py", "sorted(ranked, key=lambda each: each[0])", "ranked", _HUB),
    Mutation("pages/server/workspace.py", "if self._holder != session_id and self._holder_lives():", "if False:", _HUB),
    Mutation("pages/server/session.py", "or not held.belongs_to(owner)", "", _LINKS),
    Mutation(
        "pages/server/session.py",
        "gone.document.beside() if gone.belongs_to(owner) else",
        "gone.document.beside() if True else",
        _LINKS,
    ),
    Mutation("pages/server/middleware.py", "_netloc(origin) == host", "hostname(origin) == hostname(host)", _HOSTS),
    Mutation(
        "pages/server/middleware.py",
        "not in _LOCAL:\n        return True",
        "in _LOCAL:\n        return True",
        _HOSTS,
    ),
    Mutation("pages/server/middleware.py", '"x-forwarded-for" in asks.headers', "False", _HOSTS),
    Mutation("pages/server/limits.py", "besides=space", "besides=None", _MEMORY),
    Mutation("pages/server/workspace.py", "self.document = Document(recipe=self.document.recipe)", "pass", _MEMORY),
    Mutation(
        "pages/server/live.py", "except TimeoutError:  # what lies", "except ZeroDivisionError:  # what lies", _LIVE
    ),
    Mutation("pages/server/routes.py", "_on_their_way[space.token] >= AT_ONCE", "False", _SCENE_SENT),
    Mutation("pages/server/routes.py", "            _on_their_way[self._token] -= 1\n", "", _SCENE_SENT),
    Mutation("pages/server/routes.py", "start : start + PIECE]", "start:]", _SCENE_SENT),
    Mutation("pages/server/hub.py", "self._clock() - self._trimmed_at >= TRIM_AFTER", "True", _HUB),
    Mutation("pages/server/routes.py", "HUB.trim_memory_soon()", "pass", _SCENE_SENT),
    Mutation("nca_core/snapshot.py", "iteration=iteration, seconds=seconds", "seconds=seconds", _SAVER),
    Mutation("pages/server/limits.py", "self._queue.index(ticket) + 1 - self._at_once", "0", _TURNS),
    Mutation("datasets/reading/reader.py", "len(data) <= _READ_HERE", "True", _CHILD_READS),
    Mutation("pages/server/middleware.py", "; HttpOnly", "", _OWNER),
    Mutation("nca_core/training/gate.py", "self._less_ahead.wait_for(self._free, longest)", "pass", _GATE),
    Mutation("nca_core/training/gate.py", "now - since < SHORT", "True", _GATE),
    Mutation(
        "pages/server/live.py", "self._space.taken != self._taken:", "False:", ("tests/pages/server/test_live.py",)
    ),
    Mutation("pages/server/routes.py", "RUN_AGAIN if kept else", "RUN_AGAIN if True else", _ROUTES),
    Mutation("stage/module/mount.js", "if (answer.status === 503) return again();", "", _FEED),
    Mutation("stage/module/mount.js", "held.fetching?.abort();", "", _FEED),
    Mutation("stage/module/mount.js", 'if (link === "kept") restore();', "", _FEED),
    Mutation("stage/module/mount.js", "|| held.token !== data.token) return;", ") return;", _FEED),
    Mutation("pages/server/uploads.py", "async with asyncio.timeout_at(until):", "if True:", _UPLOADS),
    Mutation("pages/server/uploads.py", "if came >= LEAST:", "if True:", _UPLOADS),
    Mutation("pages/server/uploads.py", "came += len(", "came += 0 * len(", _UPLOADS),
    Mutation("pages/server/uploads.py", "asyncio.timeout(LONGEST)", "asyncio.timeout(None)", _UPLOADS),
    Mutation("pages/server/uploads.py", "self._one_of(_whose(scope)), ", "", _UPLOADS),
    Mutation("pages/server/uploads.py", ' self._one_of(f"session {session}"),', "", _UPLOADS),
    Mutation("pages/server/uploads.py", ' or (scope.get("client") or ("",))[0]', "", _UPLOADS),
    Mutation("pages/server/uploads.py", "except ClientDisconnect:", "except ZeroDivisionError:", _UPLOADS),
    Mutation("pages/server/uploads.py", "and there + size > WAITING_BYTES", "and False", _UPLOADS),
    Mutation("pages/server/uploads.py", ", self._turns:", ":", _UPLOADS),
    Mutation("pages/server/uploads.py", "[:-most]", "[most:]", _UPLOADS),
    Mutation("datasets/base/child_process.py", "    _end_with(int(sys.argv[2]))", "    pass", _CHILD),
    Mutation("study/features.py", "_IN_USE.get(key) if noisy is dataset else None", "_IN_USE.get(key)", _FEATURES),
    Mutation("pages/server/limits.py", " + sum(_being_read.values())", "", _MEMORY),
    Mutation(
        "pages/server/limits.py",
        "if given_up():\n                raise GivenUp\n            _one",
        "if False:\n                raise GivenUp\n            _one",
        _MEMORY,
    ),
    Mutation("pages/server/uploads.py", "self._waiting() + self._coming", "self._waiting()", _UPLOADS),
    Mutation("pages/server/uploads.py", "there + size >", "size >", _UPLOADS),
    Mutation("pages/server/uploads.py", "call_later(_TAKEN_WITHIN,", "call_later(0,", _UPLOADS),
    Mutation("pages/controls/upload.py", "    file.truncate(0)", "    pass", _DROPPED),
    Mutation("datasets/reading/table.py", "_AT_A_TIME = 10_000", "_AT_A_TIME = 10_000_000", _TABLE),
    Mutation("datasets/reading/reader.py", "    cells.validate(full=True)\n", "", _CHILD_READS),
    Mutation("pages/controls/training.py", "if place.open:", "if True:", _FOLDED),
    Mutation(
        "nca_core/classifiers/rules.py",
        "import numpy as np\n",
        "import numpy as np\nimport sklearn.base  # noqa: F401\n",
        _START,
    ),
    Mutation(
        "pages/server/trainings.py",
        "if all(panel.waits or not panel.problem for panel in there.panels):",
        "if True:",
        _TRAININGS,
    ),
    Mutation(
        "pages/server/trainings.py",
        "if before is not None and _same_rows(before, shown, dataset) else _shared(shown, dataset)",
        "",
        _TRAININGS,
    ),
    Mutation("pages/server/trainings.py", "place=space.place, ", "", _TRAININGS),
    Mutation(
        "nca_core/training/warm_up.py",
        'lower = "import os; os.nice(5); " if',
        'lower = "" if',
        ("tests/nca_core/test_warm_up.py",),
    ),
    Mutation(
        "pages/server/data.py",
        "lambda: _as_before(own.comparison, entry.load())",
        "entry.load",
        ("tests/pages/server/test_folder_tables.py",),
    ),
    Mutation("pages/server/session.py", "with _FINDING[hash(owner) % len(_FINDING)]:", "if True:", _RESTORE),
    Mutation("pages/controls/comparison.py", "with space.restoring:", "if True:", _RESTORE),
    Mutation(
        "nca_core/training/run.py", "(past[-1].network or past[-1].transformation)", "past[-1].transformation", _RESTORE
    ),
    Mutation("pages/server/trainings.py", "if run.rows != rows:", "if False:", _OTHER_ROWS),
    Mutation("pages/server/embeddings.py", "saved[panel.key].into(panel, d) or panel", "panel", _RESTORE),
    Mutation("pages/server/embeddings.py", "if panel.broken_off and panel.key in jobs:", "if False:", _EMBEDDINGS),
    Mutation(
        "pages/server/embeddings.py", "is not None and _NAME + panel.key not in own.jobs:", "is not None:", _EMBEDDINGS
    ),
    Mutation("study/embed.py", "problem=why, broken_off=True", "problem=why", _EMBEDDINGS),
    Mutation(
        "study/fitting.py", "waits=True, problem=problem, broken_off=False", "waits=True, problem=problem", _EMBEDDINGS
    ),
    Mutation("pages/controls/comparison.py", "        if panel.broken_off:", "        if False:", _METHODS),
    Mutation("pages/server/middleware.py", 'asks.headers.get("origin", "")) is None', '"") is None', _HOSTS),
    Mutation("pages/server/compat.py", "own.__init__ = make_state", "pass", _SESSION_LOCK),
    Mutation("pages/server/compat.py", "_locks.setdefault(id(state), ", "_locks.setdefault(0, ", _SESSION_LOCK),
    Mutation("app.py", "    sys.setswitchinterval(SWITCH)\n", "", _SWITCH),
    Mutation("pages/server/trainings.py", "_MOVING = 2", "_MOVING = 1", _TRAININGS),
    Mutation("pages/server/trainings.py", "_MOVING = 2", "_MOVING = 1_000_000", _TRAININGS),
    Mutation("study/coping.py", "_SAME = 1e-6", "_SAME = 1e-1", ("tests/study/test_coping.py",)),
    Mutation("study/coping.py", 'f"{first:.3f}" == f"{f:.3f}"', "first == f", ("tests/study/test_coping.py",)),
    Mutation(
        "pages/server/session.py",
        "other is None or first.trains or not other.belongs_to(browser())",
        "other is None or not other.belongs_to(browser())",
        ("tests/pages/test_another_tab.py",),
    ),
    Mutation(
        "pages/server/session.py",
        "if HUB.find(other.token) is not other or not other.belongs_to(browser()):",
        "if HUB.find(other.token) is not other:",
        ("tests/pages/test_another_tab.py",),
    ),
    Mutation(
        "pages/server/session.py",
        "if HUB.find(gone.token) is gone and gone.trains:",
        "if gone.trains and not gone.trains:",
        ("tests/pages/test_another_tab.py",),
    ),
    Mutation(
        "pages/server/hub.py",
        "if space is not besides and any(page.runs and page.shows(link) for page in pages):",
        "if space is not besides:",
        ("tests/pages/server/test_hub.py",),
    ),
    Mutation(
        "pages/server/session.py",
        "        each.release_session(session_id)\n",
        "        pass\n",
        ("tests/pages/test_another_tab.py",),
    ),
)
