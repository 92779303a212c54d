"""What is broken on purpose in the holding of workspaces: whose they are, how much they take, who is let in."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_HUB = ("tests/pages/server/test_workspace.py",)
_LINKS = ("tests/pages/test_explore_links.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)
_SCENE_SENT = ("tests/pages/server/test_routes.py",)
_OWNER = ("tests/pages/server/test_middleware.py",)
_HOSTS = ("tests/pages/server/test_middleware.py",)
_MEMORY = ("tests/pages/server/test_limits.py",)
_LIVE = ("tests/pages/server/test_live.py",)
_TURNS = ("tests/pages/server/test_limits.py",)
_CHILD_READS = ("tests/datasets/reading/test_child.py",)
_TRAININGS = ("tests/pages/server/test_trainings.py",)
_SESSION_LOCK = ("tests/pages/server/test_compat.py",)
_SAVER = ("tests/pages/server/test_saver.py",)
_RESTORE = ("tests/pages/server/test_restore.py",)
_SAVED_JOBS = ("tests/pages/server/test_saved_jobs.py",)
_OTHER_ROWS = ("tests/pages/server/test_other_rows.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_UPLOADS = ("tests/pages/server/test_limits.py",)
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
    *mutations(
        "pages/server/trainings.py",
        _TRAININGS,
        ("measurements(space, comparison)\n\n    leave", "pass\n\n    leave"),
        ("if all(panel.waits or not panel.problem for panel in there.panels):", "if True:"),
        ("if before is not None and _same_rows(before, shown, dataset) else _shared(shown, dataset)", ""),
        ("place=space.place, ", ""),
        ("_MOVING = 2", "_MOVING = 1"),
        ("_MOVING = 2", "_MOVING = 1_000_000"),
    ),
    *mutations(
        "pages/server/jobs.py",
        "tests/pages/server/test_jobs.py",
        ("        self.cancel(name)\n        self[name]", "        self[name]"),
    ),
    *mutations(
        "pages/server/routes.py",
        _ROUTES,
        ("space.belongs_to(owner_of(asks.cookies))", "True"),
        ("RUN_AGAIN if kept else", "RUN_AGAIN if True else"),
    ),
    *mutations(
        "pages/server/workspace.py",
        _HUB,
        ("if space.belongs_to(owner)]", "]"),
        ("sorted(ranked, key=lambda each: each[0])", "ranked"),
        ("self._clock() - self._trimmed_at >= TRIM_AFTER", "True"),
    ),
    *mutations(
        "pages/server/workspace.py", _HUB, ("if self._holder != session_id and self._holder_lives():", "if False:")
    ),
    *mutations(
        "pages/server/session.py",
        _LINKS,
        ("or not held.belongs_to(owner)", ""),
        ("gone.document.beside() if gone.belongs_to(owner) else", "gone.document.beside() if True else"),
    ),
    *mutations(
        "pages/server/middleware.py",
        _HOSTS,
        ("_netloc(origin) == host", "hostname(origin) == hostname(host)"),
        ("not in _LOCAL:\n        return True", "in _LOCAL:\n        return True"),
        ('"x-forwarded-for" in asks.headers', "False"),
        ('asks.headers.get("origin", "")) is None', '"") is None'),
    ),
    *mutations(
        "pages/server/limits.py",
        _MEMORY,
        ("besides=space", "besides=None"),
        (" + sum(_reading.values())", ""),
        (
            "if given_up():\n                raise GivenUp\n            _one",
            "if False:\n                raise GivenUp\n            _one",
        ),
    ),
    *mutations("pages/server/workspace.py", _MEMORY, ("self.document = Document(recipe=self.document.recipe)", "pass")),
    *mutations(
        "pages/server/live.py", _LIVE, ("except TimeoutError:  # a browser", "except ZeroDivisionError:  # a browser")
    ),
    *mutations(
        "pages/server/routes.py",
        _SCENE_SENT,
        ("_sending[space.token] >= AT_ONCE", "False"),
        ("            _sending[self._token] -= 1\n", ""),
        ("start : start + PIECE]", "start:]"),
        ("HUB.trim_memory_soon()", "pass"),
    ),
    *mutations("nca_core/snapshot.py", _SAVER, ("iteration=iteration, seconds=seconds", "seconds=seconds")),
    *mutations("pages/server/limits.py", _TURNS, ("self._queue.index(ticket) + 1 - self._at_once", "0")),
    *mutations(
        "datasets/reading/reader.py",
        _CHILD_READS,
        ("len(data) <= _READ_HERE", "True"),
        ("    cells.validate(full=True)\n", ""),
    ),
    *mutations("pages/server/middleware.py", _OWNER, ("; HttpOnly", "")),
    *mutations(
        "nca_core/training/gate.py",
        _GATE,
        ("self._less_ahead.wait_for(self._free, longest)", "pass"),
        ("self.stand_back(LONGEST_BACK)", "self.stand_back(1e9)"),
        ("now - since < SHORT", "True"),
    ),
    *mutations(
        "pages/server/live.py", "tests/pages/server/test_live.py", ("self._space.taken != self._taken:", "False:")
    ),
    *mutations(
        "stage/module/mount.js",
        _FEED,
        ("if (answer.status === 503) return again();", ""),
        ("held.fetching?.abort();", ""),
        ('if (link === "kept") page.restore();', ""),
        ("|| held.token !== data.token) return;", ") return;"),
    ),
    *mutations(
        "pages/server/limits.py",
        _UPLOADS,
        ("async with asyncio.timeout_at(until):", "if True:"),
        ("if came >= LEAST:", "if True:"),
        ("came += len(", "came += 0 * len("),
        ("asyncio.timeout(LONGEST)", "asyncio.timeout(None)"),
        ("self._one_of(address), ", ""),
        (' self._one_of(f"session {session}"),', ""),
        (' or (scope.get("client") or ("",))[0]', ""),
        ("except ClientDisconnect:", "except ZeroDivisionError:"),
        ("and there + size > WAITING_BYTES", "and False"),
        (", self._turns:", ":"),
        ("[:-most]", "[most:]"),
        ("self._waiting() + self._arriving", "self._waiting()"),
        ("there + size >", "size >"),
        ("call_later(_TAKEN_WITHIN,", "call_later(0,"),
        ("if _owners.get(session) != owner:", "if False:"),
        ("_owners.move_to_end(session_id)", "pass"),
        ("for page in (page for space in spaces for page in space.of_the_tab()):", "for page in spaces:"),
        ("while isinstance(base.base, np.ndarray):", "while False:"),
    ),
    *mutations("datasets/base/child_process.py", _CHILD, ("    _end_with(int(sys.argv[2]))", "    pass")),
    *mutations("study/features.py", _FEATURES, ("_IN_USE.get(key) if noisy is dataset else None", "_IN_USE.get(key)")),
    *mutations("pages/controls/upload.py", _DROPPED, ("    file.truncate(0)", "    pass")),
    *mutations("datasets/reading/table.py", _TABLE, ("_AT_A_TIME = 10_000", "_AT_A_TIME = 10_000_000")),
    *mutations("pages/controls/training.py", _FOLDED, ("if place.open:", "if True:")),
    *mutations(
        "nca_core/classifiers/rules.py",
        _START,
        ("import numpy as np\n", "import numpy as np\nimport sklearn.base  # noqa: F401\n"),
    ),
    *mutations(
        "nca_core/training/warm_up.py",
        "tests/nca_core/test_warm_up.py",
        ('lower = "import os; os.nice(5); " if', 'lower = "" if'),
    ),
    *mutations(
        "pages/server/data.py",
        "tests/pages/server/test_folder_tables.py",
        ("lambda: _as_before(own.comparison, entry.load())", "entry.load"),
    ),
    *mutations("pages/server/session.py", _RESTORE, ("with _FINDING[hash(owner) % len(_FINDING)]:", "if True:")),
    *mutations("pages/controls/comparison.py", _RESTORE, ("with space.restoring:", "if True:")),
    *mutations(
        "nca_core/training/run.py",
        _RESTORE,
        ("(past[-1].network or past[-1].transformation)", "past[-1].transformation"),
    ),
    *mutations("pages/server/trainings.py", _OTHER_ROWS, ("if run.rows != rows:", "if False:")),
    *mutations("pages/server/embeddings.py", _RESTORE, ("saved[panel.key].into(panel, d) or panel", "panel")),
    *mutations(
        "pages/server/embeddings.py",
        _EMBEDDINGS,
        ("if panel.broken_off and panel.key in jobs:", "if False:"),
        ("is not None and _NAME + panel.key not in own.jobs:", "is not None:"),
    ),
    *mutations("study/embed.py", _EMBEDDINGS, ("problem=why, broken_off=True", "problem=why")),
    *mutations(
        "study/fitting.py",
        _EMBEDDINGS,
        ("waits=True, problem=problem, broken_off=False", "waits=True, problem=problem"),
    ),
    *mutations("pages/controls/comparison.py", _METHODS, ("        if panel.broken_off:", "        if False:")),
    *mutations(
        "pages/server/compat.py",
        _SESSION_LOCK,
        ("own.__init__ = make_state", "pass"),
        ("_locks.setdefault(id(state), ", "_locks.setdefault(0, "),
    ),
    *mutations("app.py", _SWITCH, ("    sys.setswitchinterval(SWITCH)\n", "")),
    *mutations(
        "study/coping.py",
        "tests/study/test_coping.py",
        ("_SAME = 1e-6", "_SAME = 1e-1"),
        ('f"{first:.3f}" == f"{f:.3f}"', "first == f"),
    ),
    *mutations(
        "pages/server/session.py",
        "tests/pages/test_another_tab.py",
        (
            "other is None or first.trains or not other.belongs_to(browser())",
            "other is None or not other.belongs_to(browser())",
        ),
        (
            "if HUB.find(other.token) is not other or not other.belongs_to(browser()):",
            "if HUB.find(other.token) is not other:",
        ),
        ("if HUB.find(gone.token) is gone and gone.trains:", "if gone.trains and not gone.trains:"),
        ("        each.release_session(session_id)\n", "        pass\n"),
    ),
    *mutations(
        "pages/server/workspace.py",
        "tests/pages/server/test_workspace.py",
        (
            "if space is not besides and any(page.runs and page.shows(link) for page in pages):",
            "if space is not besides:",
        ),
    ),
    *mutations(
        "nca_core/training/gate.py", _TRAININGS, ("self._ticket = self._trainings.enter()", "self._ticket.set()")
    ),
    *mutations(
        "pages/server/workspace.py",
        "tests/pages/server/test_workspace.py",
        ("gate.place() if first is None else first.place", "gate.place()"),
    ),
    *mutations(
        "pages/server/live.py",
        _LIVE,
        ("time.monotonic() - self._state_sent >= HEARTBEAT", "False"),
        ('"problem": SAVER.problem}', '"problem": ""}'),
    ),
    *mutations(
        "app.py",
        "tests/pages/server/test_running_server.py",
        ("raise_descriptor_limit()\n", "pass\n"),
        ("middleware=MIDDLEWARE, ", ""),
    ),
    *mutations(
        "study/cluster/connection.py",
        "tests/study/cluster/test_pieces.py",
        ("self._closing.wait(AGAIN_AFTER)", "self._closing.wait()"),
    ),
)
