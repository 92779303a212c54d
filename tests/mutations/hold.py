"""What is broken on purpose in the holding of workspaces: whose they are, how much they take, who is let in."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_HUB = ("tests/pages/server/test_hub.py",)
_LINKS = ("tests/pages/test_explore_links.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)
_OWNER = ("tests/pages/server/test_owner.py",)
_HOSTS = ("tests/pages/server/test_hosts.py",)
_MEMORY = ("tests/pages/server/test_memory.py",)
_LIVE = ("tests/pages/server/test_live_states.py",)
_TURNS = ("tests/pages/server/test_turns.py",)
_APART = ("tests/datasets/reading/test_apart.py",)
_CONNECTIONS = ("tests/pages/server/test_connections.py",)
_STORE = ("tests/pages/server/test_store.py",)
_MESSAGES = ("tests/pages/server/test_gathered_messages.py",)
_TRAININGS = ("tests/pages/server/test_trainings.py",)
_SESSION_LOCK = ("tests/pages/server/test_session_lock.py",)
_WIDGETS = ("tests/pages/server/test_widget_states.py",)
_SAVED_JOBS = ("tests/pages/server/test_saved_jobs.py",)
_SAVED = ("tests/pages/server/test_saved.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_FAULTS = ("tests/pages/server/test_faults.py",)
_UPLOADS = ("tests/pages/server/test_uploads_guard.py",)
_CHILD = ("tests/datasets/base/test_child_process.py",)
_WAKE = ("tests/pages/server/test_wake_once.py",)
_GATHERED = ("tests/pages/server/test_gathered_writes.py",)
_CELLS = ("tests/datasets/columns/test_cells.py",)
_ROWS = ("tests/datasets/reading/test_compact_rows.py",)
_FOLDED = ("tests/pages/test_explore.py::test_what_is_folded_makes_no_widget",)
_DROPPED = ("tests/pages/test_dropped_table.py::test_streamlit_keeps_no_second_hold_on_the_file",)
_START = ("tests/test_start.py::test_the_server_answers_before_it_has_loaded_what_takes_long",)
_REMEMBERED = ("tests/nca_core/accuracy/test_remembered.py",)
_GATE = ("tests/nca_core/test_gate.py",)
_FEED = ("tests/browser/test_stage_feed.py",)
_FEATURES = ("tests/study/test_features.py",)

HOLD: tuple[Mutation, ...] = (
    Mutation("pages/server/gathered_messages.py", "elif len(said) == 1:", "elif len(said) == 0:", _MESSAGES),
    Mutation(
        "pages/server/gathered_messages.py", "            if said:  # one", "            if False:  # one", _MESSAGES
    ),
    Mutation("pages/server/gathered_messages.py", "take(session, said_by(session))  # from", "pass  # from", _MESSAGES),
    Mutation("pages/server/gathered_messages.py", "if self._sent % AT_ONCE:", "if True:", _MESSAGES),
    Mutation(
        "pages/server/trainings.py", "measurements(space, comparison)\n\n    leave", "pass\n\n    leave", _TRAININGS
    ),
    Mutation("pages/server/saved_jobs.py", "{**own.saved_jobs, **own.jobs}", "own.jobs", _SAVED_JOBS),
    Mutation(
        "pages/server/saved_jobs.py", 'tuple(told.pop("columns")) != NAMES', 'not told.pop("columns")', _SAVED_JOBS
    ),
    Mutation("pages/server/saved_jobs.py", "and not _has_grown(before[0], result)", "and False", _SAVED_JOBS),
    Mutation("pages/server/saved_jobs.py", "now.done < before.done or", "", _SAVED_JOBS),
    Mutation("pages/server/jobs.py", "space.belongings.saved_jobs.pop(name, None)", "pass", _SAVED_JOBS),
    Mutation("pages/server/routes.py", "space.belongs_to(owner_of(asks.cookies))", "True", _ROUTES),
    Mutation("pages/server/hub.py", "if space.belongs_to(owner)]", "]", _HUB),
    Mutation("pages/server/hub.py", "sorted(ranked, key=lambda each: each[0])", "ranked", _HUB),
    Mutation("pages/server/workspace.py", "if self._holder != session_id and self._holder_lives():", "if False:", _HUB),
    Mutation("pages/server/session.py", "or not held.belongs_to(owner)", "", _LINKS),
    Mutation(
        "pages/server/session.py",
        "gone.belongings.beside() if gone.belongs_to(owner) else",
        "gone.belongings.beside() if True else",
        _LINKS,
    ),
    Mutation("pages/server/hosts.py", "_netloc(origin) == host", "hostname(origin) == hostname(host)", _HOSTS),
    Mutation(
        "pages/server/hosts.py", "not in _AT_HOME:\n        return True", "in _AT_HOME:\n        return True", _HOSTS
    ),
    Mutation("pages/server/hosts.py", '"x-forwarded-for" in headers', "False", _HOSTS),
    Mutation("pages/server/memory.py", "besides=space", "besides=None", _MEMORY),
    Mutation(
        "pages/server/workspace.py", "self.belongings = Belongings(recipe=self.belongings.recipe)", "pass", _MEMORY
    ),
    Mutation(
        "pages/server/live.py", "except TimeoutError:  # what lies", "except ZeroDivisionError:  # what lies", _LIVE
    ),
    Mutation("pages/server/connections.py", "idle and self.cycle is before", "False", _CONNECTIONS),
    Mutation("pages/server/connections.py", "not upgraded and idle", "idle", _CONNECTIONS),
    Mutation("pages/server/connections.py", "int(_SHARE * most)", "most", _CONNECTIONS),
    Mutation("nca_core/snapshot.py", "iteration=iteration, seconds=seconds", "seconds=seconds", _STORE),
    Mutation("pages/server/store.py", "< self._seconds:", "< 1e9:", _STORE),
    Mutation(
        "pages/server/saved.py", "for key, saved in list(own.saved_runs.items()):", "for key, saved in []:", _STORE
    ),
    Mutation(
        "pages/server/saved.py", "news := held.run.snapshots_since(done)", "news := held.run.snapshots_since(0)", _STORE
    ),
    Mutation("pages/server/turns.py", "self._queue.index(ticket) + 1 - self._at_once", "0", _TURNS),
    Mutation("datasets/reading/read_table.py", "len(data) > _HERE", "False", _APART),
    Mutation("pages/server/owner.py", "; HttpOnly", "", _OWNER),
    Mutation("nca_core/gate.py", "self._less_ahead.wait_for(self._free, longest)", "pass", _GATE),
    Mutation("nca_core/gate.py", "now - since < SHORT", "True", _GATE),
    Mutation("pages/server/routes.py", "KEPT if kept else", "KEPT if True else", _ROUTES),
    Mutation("pages/server/saver.py", "return bool(self._kept_of(owner))", "return True", _ROUTES),
    Mutation("pages/stage/module/mount.js", 'if (link === "kept") comeBack();', "", _FEED),
    Mutation("pages/stage/module/mount.js", "|| held.token !== data.token) return;", ") return;", _FEED),
    Mutation("pages/server/uploads_guard.py", "async with asyncio.timeout(STALLED):", "if True:", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "and there + size > WAITING_BYTES", "and False", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "async with self._turns:", "if True:", _UPLOADS),
    Mutation("pages/server/streamlit_server.py", "[:-most]", "[most:]", _UPLOADS),
    Mutation("pages/server/saved.py", "not store.holds(before.folder)", "False", _FAULTS),
    Mutation("pages/server/saver.py", "(again or not store.holds(before.folder))", "False", _FAULTS),
    Mutation(
        "pages/server/saver.py",
        "            belongings = take_back(",
        "            self._hub.open(owner)\n            belongings = take_back(",
        _FAULTS,
    ),
    Mutation("pages/server/saver.py", "_AGAIN = 100", "_AGAIN = 1_000_000_000", _FAULTS),
    Mutation("pages/server/saved.py", "_PAST = 3", "_PAST = 0", _FAULTS),
    Mutation("pages/server/store.py", ">= -_SKEW", ">= -1e9", _FAULTS),
    Mutation("pages/server/store.py", "name != _META and name", 'not name.startswith((_META, ".")) and name', _FAULTS),
    Mutation("pages/server/saved_uploads.py", "ReadOptions(**options)", "ReadOptions()", _STORE),
    Mutation("datasets/base/child_process.py", "    _end_with(int(sys.argv[2]))", "    pass", _CHILD),
    Mutation("study/features.py", "_IN_USE.get(key) if noisy is dataset else None", "_IN_USE.get(key)", _FEATURES),
    Mutation("pages/server/wake_once.py", "        if not asked:", "        if True:", _WAKE),
    Mutation("pages/server/wake_once.py", "        asked = False\n", "        pass\n", _WAKE),
    Mutation("pages/server/gathered_writes.py", "if self._size >= AT_MOST:", "if False:", _GATHERED),
    Mutation(
        "pages/server/gathered_writes.py", "        self._send()\n        self._tr", "        self._tr", _GATHERED
    ),
    Mutation("pages/server/connections.py", "self.ws_protocol_class = GatheringProtocol", "pass", _CONNECTIONS),
    Mutation("pages/server/memory.py", " + sum(_being_read.values())", "", _MEMORY),
    Mutation("pages/server/memory.py", "            if given_up():\n", "            if False:\n", _MEMORY),
    Mutation("pages/server/uploads_guard.py", "self._waiting() + self._coming", "self._waiting()", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "there + size >", "size >", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "call_later(_TAKEN_WITHIN,", "call_later(0,", _UPLOADS),
    Mutation("pages/controls/table/upload.py", "    file.truncate(0)", "    pass", _DROPPED),
    Mutation("datasets/columns/cells.py", "_AT_A_TIME = 10_000", "_AT_A_TIME = 10_000_000", _CELLS),
    Mutation("datasets/reading/compact_rows.py", "unpacked = 60 * len(self._column[1])", "unpacked = 0", _ROWS),
    Mutation("pages/controls/base/folded.py", "return place if place.open else None", "return place", _FOLDED),
    Mutation(
        "nca_core/classifiers/variable_kernel.py",
        "import numpy as np\n",
        "import numpy as np\nimport sklearn.base  # noqa: F401\n",
        _START,
    ),
    Mutation(
        "nca_core/accuracy/remembered.py",
        "np.flatnonzero(self._sure < k)",
        "np.flatnonzero(self._sure < 0)",
        _REMEMBERED,
    ),
    Mutation(
        "nca_core/accuracy/remembered.py",
        "reach if whole else level.shape[1] - own, first - own",
        "reach, first",
        _REMEMBERED,
    ),
    Mutation("nca_core/accuracy/remembered.py", "1 << (k - 1).bit_length()", "k", _REMEMBERED),
    Mutation("pages/server/session.py", "with _FINDING[hash(owner) % len(_FINDING)]:", "if True:", _SAVED),
    Mutation("pages/controls/recipe/comparison.py", "with space.coming_back:", "if True:", _SAVED),
    Mutation("pages/server/saved_snapshots.py", "starts=_starts(short)", "starts=()", _SAVED),
    Mutation("nca_core/run.py", "(past[-1].network or past[-1].transformation)", "past[-1].transformation", _SAVED),
    Mutation("pages/server/saved_embeddings.py", "if self.fed != fed(panel):", "if False:", _SAVED),
    Mutation("pages/server/embeddings.py", "known.into(panel, n_components) or panel", "panel", _SAVED),
    Mutation("pages/server/store.py", "_hashed(owner + self._apart)", "_hashed(owner)", _SETTINGS),
    Mutation("pages/server/store.py", "mode=0o700", "mode=0o755", _SETTINGS),
    Mutation("pages/server/saver.py", "sorted(spaces, key=self._to_pack)", "spaces", _STORE),
    Mutation("pages/server/store_of_settings.py", "folder.chmod(0o700)", "pass", _SETTINGS),
    Mutation("pages/server/hosts.py", 'headers.get("origin", "")) is None', '"") is None', _HOSTS),
    Mutation("pages/server/widget_states.py", "if said.id.startswith(_STREAMLITS):", "if True:", _WIDGETS),
    Mutation("pages/server/session_lock.py", "own.__init__ = sharing", "pass", _SESSION_LOCK),
    Mutation("pages/server/session_lock.py", "_locks.setdefault(id(state), ", "_locks.setdefault(0, ", _SESSION_LOCK),
    Mutation("pages/server/widget_states.py", "known.value_type in _NUMBERS and", "False and", _WIDGETS),
    Mutation("pages/server/widget_states.py", "states.get_serialized(widget)  # as", "pass  # as", _WIDGETS),
    Mutation("study/carry.py", "_SAME = 1e-6", "_SAME = 1e-1", ("tests/study/test_carry.py",)),
    Mutation("study/coping.py", 'f"{first:.3f}" == f"{f:.3f}"', "first == f", ("tests/study/test_coping.py",)),
)
