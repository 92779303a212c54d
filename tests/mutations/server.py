"""What is broken on purpose in pages/server and app.py."""

from tests.mutations.mutation import Changes

_DOCUMENT = "tests/pages/server/test_document.py"
_DROPPED_TABLE = "tests/pages/test_dropped_table.py"
_EXPLORE = "tests/pages/test_explore.py"
_EXPLORE_LINKS = "tests/pages/test_explore_links.py"
_JOBS = "tests/pages/server/test_jobs.py"
_LIMITS = "tests/pages/server/test_limits.py"
_RESTORE = "tests/pages/server/test_restore.py"
_ROUTES = "tests/pages/server/test_routes.py"
_SAVER = "tests/pages/server/test_saver.py"
_TRAININGS = "tests/pages/server/test_trainings.py"

SERVER: Changes = {
    "app.py": {
        "tests/test_start.py::test_the_server_answers_before_it_has_loaded_what_takes_long": [
            ("    sys.setswitchinterval(SWITCH)\n", "")
        ],
        "tests/pages/server/test_running_server.py": [
            ("raise_descriptor_limit()\n", "pass\n"),
            (" middleware=MIDDLEWARE,", ""),
        ],
    },
    "study/codec.py": {
        "tests/study/test_codec.py": [
            ("if found.dtype.hasobject:", "if False:"),
            ("if not module.startswith(_PACKAGES):", "if False:"),
            ("if not (isinstance(found, type) and is_dataclass(found)):", "if False:"),
            (" for field, each in given.items() if field in known}", " for field, each in given.items()}"),
            ("if id(found) not in arrays:", "if True:"),
            ("np.ascontiguousarray(found)", "np.asfortranarray(found).T"),
            ("arrays[key].flags.writeable = False", "pass"),
            ("key = offset, dtype, *shape", "key = (offset,)"),
        ],
        _SAVER: [("if parts is not None and isinstance(built, Stored)", "if False")],
    },
    "pages/server/compat.py": {
        "tests/pages/server/test_compat.py": [
            ("runner._execing = False", "pass"),
            ("runner._execing = True", "pass"),
            ("own.on_script_will_rerun = begin_whole", "pass"),
        ],
    },
    "pages/server/data.py": {
        "tests/pages/test_noise.py": [
            ("None:\n        raise DataError(_why_missing(data))", "None:\n        key = next(iter(choices(space)))")
        ],
        f"{_DROPPED_TABLE}::test_no_other_data_set_is_shown_while_a_table_has_no_label_unless_it_is_chosen": [
            ("    if table_waits(space):\n        return None\n", ""),
            ("    own.in_the_way = own.failed_upload = None\n", ""),
        ],
        f"{_DROPPED_TABLE}::test_lines_with_too_many_cells_are_shown_together_and_skipped_by_one_press": [
            ("if failed is not None and failed.question is not None:", "if False:")
        ],
        "tests/pages/server/test_folder_tables.py": [
            ("lambda: _as_before(own.comparison, entry.load())", "entry.load")
        ],
    },
    "pages/server/document.py": {
        _DOCUMENT: [
            ("next((key for key in own if self.content(key) == data.content), None)", "next(iter(own), None)"),
            ("del self.past[:-MOST_PAST]", "pass"),
            ('self._cache.pop(f"content {oldest}", None)  # it holds the data set, too', "pass"),
            (" or before > MOST_OWN_BYTES", ""),
        ],
        "tests/pages/test_data.py::test_each_choice_is_taken_back_by_undo_and_all_of_them_at_once": [
            ("past = (*self.past, self.choices)[-MOST_PAST:]", "past = (self.choices,)")
        ],
    },
    "pages/server/embeddings.py": {
        "tests/pages/server/test_embeddings.py": [
            ("Turns(2)", "Turns(3)"),
            ("panel.X is job.panel.X and wanted", "wanted"),
            ("if panel.broken_off and job is not None:", "if False:"),
            ("is not None and _NAME + panel.key not in own.jobs:", "is not None:"),
        ],
        _RESTORE: [
            ("saved[panel.key].into(panel, d) or panel", "panel"),
            ("if self.features != _hashed(panel.X):", "if False:"),
        ],
    },
    "pages/server/jobs.py": {
        f"{_JOBS}::test_work_without_a_result_ends_too": [
            ("self._stop.is_set():\n            raise TrainingStopped", "False:\n            raise TrainingStopped")
        ],
        _JOBS: [("        self.cancel(name)\n        self[name]", "        self[name]")],
        _LIMITS: [("while place := self._slots.position(ticket):", "while place := 0:")],
    },
    "pages/server/limits.py": {
        _LIMITS: [
            ("besides=space", "besides=None"),
            (" + sum(_reading.values())", ""),
            ("if given_up():\n                raise GivenUp", "if False:\n                raise GivenUp"),
            ("async with asyncio.timeout_at(until):", "if True:"),
            ("if came >= LEAST:", "if True:"),
            ("came += len(", "came += 0 * len("),
            ("asyncio.timeout(LONGEST)", "asyncio.timeout(None)"),
            (" self._one_each.setdefault(session, asyncio.Lock()),", ""),
            ("except ClientDisconnect:", "except ZeroDivisionError:"),
            ("and there + size > WAITING_BYTES", "and False"),
            (", turns:", ":"),
            ("_content_length(scope) > SMALL", "True"),
            ("self._waiting() + self._arriving", "self._waiting()"),
            ("there + size >", "size >"),
            ("call_later(_TAKEN_WITHIN,", "call_later(0,"),
            ("if _owners.get(session) != owner_of(HTTPConnection(scope).cookies):", "if False:"),
            ("_owners.move_to_end(session_id)", "pass"),
            ("for page in (page for space in spaces for page in space.of_the_tab()):", "for page in spaces:"),
            ("while isinstance(base.base, np.ndarray):", "while False:"),
        ],
    },
    "pages/server/live.py": {
        "tests/pages/server/test_live.py": [
            ("enumerate(reversed(news[0].starts), start=1)", "enumerate(news[0].starts, start=1)"),
            ("known = number == held.number and", "known ="),
            ("rows = self._shown.rows\n", "rows = None\n"),
            ("except TimeoutError:  # a browser", "except ZeroDivisionError:  # a browser"),
            ("if self._space.first.taken != self._taken:", "if False:"),
            ("time.monotonic() - self._state_sent >= HEARTBEAT", "False"),
            ('"problem": SAVER.problem}', '"problem": ""}'),
        ],
    },
    "pages/server/measurements.py": {
        f"{_EXPLORE}::test_each_accuracy_stands_in_its_column": [
            ("k = shared_k(comparison, snapshots)", "k = shared_k(comparison, snapshots) + 1")
        ],
        _TRAININGS: [
            ("partial(solved, panel), panel, k)", "partial(solved, panel), panel)"),
            ("make, comparison, at))", "make, comparison))"),
        ],
    },
    "pages/server/middleware.py": {
        "tests/pages/server/test_middleware.py": [
            ("_netloc(origin) == host", "hostname(origin) == hostname(host)"),
            ("not in _LOCAL:\n        return True", "in _LOCAL:\n        return True"),
            ('"x-forwarded-for" in request.headers', "False"),
            ('request.headers.get("origin", "")) is None', '"") is None'),
            ("; HttpOnly", ""),
        ],
    },
    "pages/server/records.py": {
        _RESTORE: [
            ("own.jobs[key] = _ended_job(", "_ended_job("),
            ("if content and columns != _columns():", "if False:"),
            ('if any(job.state == "running" and job.saved and', "if False and any("),
            ('    except TypeError:\n        return b""\n', '    except ZeroDivisionError:\n        return b""\n'),
            ("json.dumps([content, to_link(done)]", "json.dumps([content]"),
            ("json.dumps([content, to", "json.dumps([to"),
            ("if own.comparison is not comparison:", "if False:"),
            ("replace(saved, snapshots=(Stored(part),))", 'replace(saved, snapshots=(Stored(part),), rows="")'),
        ],
        _SAVER: [
            ("for key, saved in list(own.saved_runs.items()):", "for key, saved in []:"),
            ("news := held.run.snapshots_since(done)", "news := held.run.snapshots_since(0)"),
            ("_PAST = 3", "_PAST = 1"),
            ('stored_file("waiting", waiting)', 'stored_file("resting", waiting)'),
            ("image_shape=shape,", "image_shape=None,"),
        ],
    },
    "pages/server/routes.py": {
        _ROUTES: [
            ("space.belongs_to(owner_of(request.cookies))", "True"),
            ("RUN_AGAIN if kept else", "RUN_AGAIN if True else"),
            ("_sending[space.token] >= AT_ONCE", "False"),
            ("            _sending[self._token] -= 1\n", ""),
            ("start : start + PIECE]", "start:]"),
            ("HUB.trim_soon = True", "pass"),
        ],
    },
    "pages/server/saver.py": {
        _ROUTES: [("return bool(self._elsewhere(owner))", "return True")],
        _SAVER: [
            ("if each.workspace not in here]", "]"),
            ("{name: _OTHER for name in parts if name != META}", "{}"),
            ("sorted(spaces, key=unsaved_bytes)", "spaces"),
            ("            elif not saved.lost:", "            elif False:"),
            ("                self._saved[space.token] = _Saved()\n", "                pass\n"),
            ("            elif writer is not None:\n                self._discard(space)\n", ""),
            ("store.touch([saved", "list([saved"),
            ("if before.of is not part.of or", "if True or"),
            ("if why != before:", "if True:"),
        ],
    },
    "pages/server/session.py": {
        f"{_EXPLORE_LINKS}::test_what_a_link_says_that_nobody_understands_is_said_and_the_rest_is_kept": [
            ("own.problems = decoded.problems", "pass")
        ],
        _EXPLORE_LINKS: [
            ("or not held.belongs_to(owner)", ""),
            ("gone.document.beside() if gone.belongs_to(owner) else", "gone.document.beside() if True else"),
            ("None or first.trains or not other.belongs_to(browser())", "None or not other.belongs_to(browser())"),
            ("find(other.token) is not other or not other.belongs_to(browser()):", "find(other.token) is not other:"),
            ("if HUB.find(gone.token) is gone and gone.trains:", "if gone.trains and not gone.trains:"),
            ("        before.release_session(session_id)\n", "        pass\n"),
        ],
        _RESTORE: [("with _FINDING[hash(owner) % len(_FINDING)]:", "if True:")],
        _SAVER: [("        SAVER.drop_claimed(owner)\n", "")],
        "tests/pages/test_learn.py::test_a_reload_finds_the_ticks_and_the_training_again": [
            ("for wanted in (None, link) if of_lessons else (link,):", "for wanted in (link,):")
        ],
    },
    "pages/server/store.py": {
        "tests/pages/server/test_store.py": [
            ("(owner + self._scope)", "owner"),
            (", _row.updated > self._clock() - self._seconds)", ")"),
            (", _row.server == found.server)", ")"),
            ("update(_parts).where(*mine, _row.server == self.server)", "update(_parts).where(*mine)"),
            (" or connection.execute(sa.select(_row.server).where(*mine)).first()", ""),
            ("{*changed, *gone} if", "{*changed} if"),
            ("values(updated=self._clock())", "values(updated=_row.updated)"),
            ("connection.execute(sa.delete(_parts).where(_row.workspace.in_(expired)))", "pass"),
            ("order_by=newest_first", "order_by=each.c.workspace"),
            ("total.c.total > self._most_bytes", "total.c.total > 1e12"),
            ("- _OURS):", "- set(os.listdir(folder))):"),
            ("O_RDWR, 0o600)", "O_RDWR, 0o644)"),
            ("folder.mkdir(mode=0o700", "folder.mkdir(mode=0o755"),
            ("?mode=rw", "?mode=rwc"),
            ('connection.execute("PRAGMA auto_vacuum = FULL")', "pass"),
            ("scope=str(port)", 'scope=""'),
            ("shutil.disk_usage(path).free < _LEAST", "False"),
        ],
    },
    "pages/server/trainings.py": {
        "tests/pages/test_explore_panels.py::test_panels_come_and_go_and_trainings_go_on": [
            ("keep_runs([panel.key for panel in comparison.panels if panel.trains])", "keep_runs(list(space.runs))")
        ],
        f"{_EXPLORE}::test_changed_settings_are_said_such_as_the_penalty_that_a_scale_that_runs_away_is_offered": [
            ("return bool(own.started) and any(", "return False and any(")
        ],
        _TRAININGS: [
            ("if without_name(started[key]) != without_name(own.recipe.panel(key)):", "if started[key] is None:"),
            ("iteration < len(snapshots)", "True"),
            ('("running", "waiting")', '("running",)'),
            ('"noise", "preparation", "n_components"', '"noise", "n_components"'),
            ("measurements(space, comparison)\n\n    leave", "pass\n\n    leave"),
            ("if all(panel.waits or not panel.problem for panel in there.panels)", "if True"),
            ("if before is not None and _same_rows(before, shown, dataset) else _shared(shown, dataset)", ""),
            ('"place": space.place,\n', ""),
            ("_MOVING = 2", "_MOVING = 1"),
            ("_MOVING = 2", "_MOVING = 1_000_000"),
        ],
        f"{_TRAININGS}::test_one_panel_is_trained_and_taken_back_alone": [
            ("panel.trains and (starts is None or panel.key in starts)", "panel.trains")
        ],
        f"{_TRAININGS}::test_a_kept_run_goes_on_while_another_is_trained": [
            ("None if fresh else there.recipe", "there.recipe")
        ],
        _RESTORE: [("run.rows == rows and", "")],
        "tests/pages/test_understand.py": [
            ("initial = None if starts is None else starts[panel.key]", "initial = None")
        ],
        "tests/pages/test_cope.py": [("    prepare_rows(dataset, noise, own.recipe.preparation)\n", "")],
    },
    "pages/server/workspace.py": {
        "tests/pages/server/test_workspace.py": [
            ("- {key}) >= MOST_LIVE_PANELS:", "- {key}) > MOST_LIVE_PANELS:"),
            (
                'held.run.state in ("running", "waiting"):\n                held.run.pause',
                'held.run.state != "ended":\n                held.run.pause',
            ),
            ("if owner and space.belongs_to(owner)]", "if owner]"),
            ("sorted(ranks, key=ranks.__getitem__)", "ranks"),
            ("            self.trim_soon = False\n", ""),
            ("if tab._holder != session_id and tab.has_session and not take:", "if False:"),
            ("any(page.runs and page.shows(link) for page in space.pages)", "True"),
            ("Place() if first is None else first.place", "Place()"),
        ],
        _TRAININGS: [("if held.ours:\n                held.run.stop(timeout=0)", "held.run.stop(timeout=0)")],
        _LIMITS: [("self.document = Document(recipe=self.document.recipe)", "pass")],
    },
}
