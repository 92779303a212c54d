"""What is broken on purpose in the holding of workspaces: whose they are, how much they take, who is let in."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_HUB = ("tests/pages/server/test_hub.py",)
_LINKS = ("tests/pages/test_explore_links.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)
_SCENE_SENT = ("tests/pages/server/test_scene_sent.py",)
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
_ELSEWHERE = ("tests/pages/server/test_took_up_elsewhere.py",)
_OTHER_ROWS = ("tests/pages/server/test_other_rows.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_FAULTS = ("tests/pages/server/test_faults.py",)
_GONE = ("tests/pages/server/test_store_gone.py",)
_UPLOADS = ("tests/pages/server/test_uploads_guard.py",)
_CHILD = ("tests/datasets/base/test_child_process.py",)
_WAKE = ("tests/pages/server/test_wake_once.py",)
_GATHERED = ("tests/pages/server/test_gathered_writes.py",)
_CELLS = ("tests/datasets/columns/test_cells.py",)
_ROWS = ("tests/datasets/reading/test_compact_rows.py",)
_FOLDED = ("tests/pages/test_explore.py::test_what_is_folded_makes_no_widget",)
_DROPPED = ("tests/pages/test_dropped_table.py::test_streamlit_keeps_no_second_hold_on_the_file",)
_START = ("tests/test_start.py::test_the_server_answers_before_it_has_loaded_what_takes_long",)
_SHARED = ("tests/pages/server/test_shared_fits.py",)
_SWITCH = ("tests/test_start.py::test_threads_that_compute_keep_a_page_waiting_for_a_millisecond",)
_REMEMBERED = ("tests/nca_core/accuracy/test_remembered.py",)
_GATE = ("tests/nca_core/test_gate.py",)
_FEED = ("tests/browser/test_stage_feed.py",)
_EMBEDDINGS = ("tests/pages/server/test_embeddings.py",)
_METHODS = ("tests/pages/test_methods_on_explore.py",)
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
    Mutation("pages/server/connections.py", "and self.cycle is before", "and False", _CONNECTIONS),
    Mutation("pages/server/connections.py", "left[0] > 0 and left == left_before", "False", _CONNECTIONS),
    Mutation("pages/server/connections.py", "and left == left_before", "", _CONNECTIONS),
    Mutation(
        "pages/server/connections.py",
        "transport.is_closing() and not transport.get_write_buffer_size()",
        "transport.is_closing()",
        _CONNECTIONS,
    ),
    Mutation("pages/server/routes.py", "_on_their_way[space.token] >= AT_ONCE", "False", _SCENE_SENT),
    Mutation("pages/server/routes.py", "            _on_their_way[self._token] -= 1\n", "", _SCENE_SENT),
    Mutation("pages/server/routes.py", "start : start + PIECE]", "start:]", _SCENE_SENT),
    Mutation("pages/server/hub.py", "self._clock() - self._gave_back >= GIVE_BACK_AFTER", "True", _HUB),
    Mutation("pages/server/routes.py", "HUB.give_back_soon()", "pass", _SCENE_SENT),
    Mutation("pages/server/connections.py", "not upgraded and (stalled", "(stalled", _CONNECTIONS),
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
    Mutation("pages/stage/module/mount.js", "if (answer.status === 503) return again();", "", _FEED),
    Mutation("pages/stage/module/mount.js", "held.asking?.abort();", "", _FEED),
    Mutation("pages/stage/module/mount.js", 'if (link === "kept") comeBack();', "", _FEED),
    Mutation("pages/stage/module/mount.js", "|| held.token !== data.token) return;", ") return;", _FEED),
    Mutation("pages/server/uploads_guard.py", "async with asyncio.timeout_at(until):", "if True:", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "if came >= LEAST:", "if True:", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "came += len(", "came += 0 * len(", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "asyncio.timeout(LONGEST)", "asyncio.timeout(None)", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "self._one_of(_whose(scope)), ", "", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", ' self._one_of(f"session {session}"),', "", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", ' or (scope.get("client") or ("",))[0]', "", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "except ClientDisconnect:", "except ZeroDivisionError:", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", "and there + size > WAITING_BYTES", "and False", _UPLOADS),
    Mutation("pages/server/uploads_guard.py", ", self._turns:", ":", _UPLOADS),
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
        "pages/server/shared_fits.py",
        "if all(panel.waits or not panel.problem for panel in found.panels):",
        "if True:",
        _SHARED,
    ),
    Mutation(
        "pages/server/settings_at_once.py",
        "ask(key) if option is None else option.value",
        "ask(key)",
        ("tests/pages/server/test_settings_at_once.py",),
    ),
    Mutation(
        "nca_core/warm_up.py",
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
    Mutation(
        "pages/server/shared_fits.py",
        "or there[0]() is not panel",
        "",
        _SHARED,
    ),
    Mutation(
        "nca_core/accuracy/remembered.py",
        "with self._one_looks:",
        "if True:",
        _REMEMBERED,
    ),
    Mutation(
        "nca_core/accuracy/remembered.py",
        "np.flatnonzero(sure < k)",
        "np.flatnonzero(sure < 0)",
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
    Mutation(
        "pages/server/session.py", "SAVER.take_over(owner, link, session_id, lives, of_lessons)", "None", _ELSEWHERE
    ),
    Mutation("pages/server/saver.py", '{**meta.get("went_on", {}), ', "{", _ELSEWHERE),
    Mutation("pages/server/saver.py", " and space.attention.was_elsewhere(store.now() - at)]", "]", _ELSEWHERE),
    Mutation("pages/server/saver.py", "            self._forget(space, store)\n", "            pass\n", _ELSEWHERE),
    Mutation(
        "pages/server/saver.py", "                store.remove(written.folder)\n", "                pass\n", _ELSEWHERE
    ),
    Mutation("pages/server/attention.py", "not looked and ", "", _ELSEWHERE),
    Mutation("pages/server/attention.py", "max(then, self._since + HUNG)", "then", _ELSEWHERE),
    Mutation("pages/server/attention.py", " and self._asked <= max(then, self._since + HUNG)", "", _ELSEWHERE),
    Mutation("pages/server/brought_back.py", "if run.rows != rows:", "if False:", _OTHER_ROWS),
    Mutation("pages/server/rows_of.py", "json.dumps([content, to_link(done)]", "json.dumps([content]", _OTHER_ROWS),
    Mutation("pages/server/rows_of.py", "json.dumps([content, to", "json.dumps([to", _OTHER_ROWS),
    Mutation("pages/server/saved.py", "if own.comparison is not comparison:", "if False:", _OTHER_ROWS),
    Mutation("pages/server/saved.py", '"rows": saved.rows, ', '"rows": "", ', _OTHER_ROWS),
    Mutation("pages/server/embeddings.py", "known.into(panel, n_components) or panel", "panel", _SAVED),
    Mutation("pages/server/embeddings.py", "if each.broken_off and each.key in jobs", "if False", _EMBEDDINGS),
    Mutation("pages/server/embeddings.py", "is not None and panel.key not in jobs:", "is not None:", _EMBEDDINGS),
    Mutation("study/embed.py", "problem=why, broken_off=True", "problem=why", _EMBEDDINGS),
    Mutation(
        "study/fitting.py", "waits=True, problem=problem, broken_off=False", "waits=True, problem=problem", _EMBEDDINGS
    ),
    Mutation("pages/controls/recipe/embeddings.py", "        if panel.broken_off:", "        if False:", _METHODS),
    Mutation("pages/server/store.py", "_hashed(owner + self._apart)", "_hashed(owner)", _SETTINGS),
    Mutation("pages/server/store.py", "mode=0o700", "mode=0o755", _SETTINGS),
    Mutation("pages/server/saver.py", "sorted(spaces, key=self._to_pack)", "spaces", _STORE),
    Mutation("pages/server/store_of_settings.py", "folder.chmod(0o700)", "pass", _SETTINGS),
    Mutation("pages/server/store.py", "            self._fs.cat_file(self._mark)", "            pass", _GONE),
    Mutation("pages/server/store.py", "marks[0] if marks else _MARK", "_MARK", _GONE),
    Mutation("pages/server/store.py", "        self.recognise()\n        there", "        there", _GONE),
    Mutation("pages/server/saver.py", "unhurried)\n                store.recognise()", "unhurried)", _GONE),
    Mutation("pages/server/saver.py", "                self._written = known\n", "", _GONE),
    Mutation("pages/server/saver.py", "                self._replaces.update(replaces)\n", "", _GONE),
    Mutation("pages/server/saver.py", "again or self._away, unhurried", "again, unhurried", _GONE),
    Mutation("pages/server/saver.py", "self._away = error, True", "_ = error, True", _GONE),
    Mutation("pages/server/saver.py", " and not self._away:", ":", _GONE),
    Mutation("pages/server/hosts.py", 'headers.get("origin", "")) is None', '"") is None', _HOSTS),
    Mutation("pages/server/widget_states.py", "if said.id.startswith(of_widgets):", "if True:", _WIDGETS),
    Mutation("pages/server/session_lock.py", "own.__init__ = sharing", "pass", _SESSION_LOCK),
    Mutation("pages/server/session_lock.py", "_locks.setdefault(id(state), ", "_locks.setdefault(0, ", _SESSION_LOCK),
    Mutation("pages/server/widget_states.py", "known.value_type in _NUMBERS and", "False and", _WIDGETS),
    Mutation("pages/server/widget_states.py", "states.get_serialized(widget)  # as", "pass  # as", _WIDGETS),
    Mutation("app.py", "    sys.setswitchinterval(SWITCH)\n", "", _SWITCH),
    Mutation("pages/server/trainings.py", "_MOVING = 2", "_MOVING = 1", _TRAININGS),
    Mutation("pages/server/trainings.py", "_MOVING = 2", "_MOVING = 1_000_000", _TRAININGS),
    Mutation("pages/server/saved_jobs.py", "_GROWN = 1.25", "_GROWN = 1.0", _SAVED_JOBS),
    Mutation("pages/server/saved_jobs.py", "_GROWN = 1.25", "_GROWN = 1.5", _SAVED_JOBS),
    Mutation("study/carry.py", "_SAME = 1e-6", "_SAME = 1e-1", ("tests/study/test_carry.py",)),
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
