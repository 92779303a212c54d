"""What is broken on purpose in the saving and restoring of workspaces."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_CODEC = ("tests/pages/server/test_codec.py",)
_STORE = ("tests/pages/server/test_store.py",)
_SAVER = ("tests/pages/server/test_saver.py",)
_JOBS = ("tests/pages/server/test_saved_jobs.py",)
_RESTORE = ("tests/pages/server/test_restore.py",)
_ROWS = ("tests/pages/server/test_other_rows.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)

STORE: tuple[Mutation, ...] = (
    Mutation("pages/server/codec.py", "if found.dtype.hasobject:", "if False:", _CODEC),
    Mutation("pages/server/codec.py", "if not module.startswith(_PACKAGES):", "if False:", _CODEC),
    Mutation("pages/server/codec.py", "if not (isinstance(found, type) and is_dataclass(found)):", "if False:", _CODEC),
    Mutation(
        "pages/server/codec.py",
        " for field, each in given.items() if field in known}",
        " for field, each in given.items()}",
        _CODEC,
    ),
    Mutation("pages/server/codec.py", "if id(found) not in arrays:", "if True:", _CODEC),
    Mutation("pages/server/codec.py", "np.ascontiguousarray(found)", "np.asfortranarray(found).T", _CODEC),
    Mutation("pages/server/codec.py", "arrays[key].flags.writeable = False", "pass", _CODEC),
    Mutation("pages/server/codec.py", "key = offset, dtype, *shape", "key = (offset,)", _CODEC),
    Mutation("pages/server/store.py", "(owner + self._scope)", "owner", _STORE),
    Mutation("pages/server/store.py", ", _row.updated > self._clock() - self._seconds)", ")", _STORE),
    Mutation("pages/server/store.py", ", _row.server == found.server)", ")", _STORE),
    Mutation(
        "pages/server/store.py",
        "update(_parts).where(*mine, _row.server == self.server)",
        "update(_parts).where(*mine)",
        _STORE,
    ),
    Mutation("pages/server/store.py", " or connection.execute(select(_row.server).where(*mine)).first()", "", _STORE),
    Mutation("pages/server/store.py", "{*changed, *gone} if", "{*changed} if", _STORE),
    Mutation("pages/server/store.py", "values(updated=self._clock())", "values(updated=_row.updated)", _STORE),
    Mutation(
        "pages/server/store.py", "connection.execute(delete(_parts).where(_row.workspace.in_(expired)))", "pass", _STORE
    ),
    Mutation("pages/server/store.py", "order_by=newest_first", "order_by=each.c.workspace", _STORE),
    Mutation("pages/server/store.py", "total.c.total > self._most_bytes", "total.c.total > 1e12", _STORE),
    Mutation("pages/server/store.py", "- _OURS):", "- set(os.listdir(folder))):", _STORE),
    Mutation("pages/server/store.py", "O_RDWR, 0o600)", "O_RDWR, 0o644)", _STORE),
    Mutation("pages/server/store.py", "folder.mkdir(mode=0o700", "folder.mkdir(mode=0o755", _STORE),
    Mutation("pages/server/store.py", "fetchone()[0] != _APPLICATION:", "fetchone()[0] == 1:", _STORE),
    Mutation("pages/server/store.py", "?mode=rw", "?mode=rwc", _STORE),
    Mutation("pages/server/store.py", "application_id = 0 AND NOT", "NOT", _STORE),
    Mutation("pages/server/store.py", 'connection.execute("PRAGMA auto_vacuum = FULL")', "pass", _STORE),
    Mutation("pages/server/store.py", "shutil.disk_usage(path).free < _LEAST", "False", _SAVER),
    Mutation("pages/server/store.py", "scope=str(port)", 'scope=""', _SETTINGS),
    Mutation("pages/server/records.py", "own.jobs[key] = _ended_job(", "_ended_job(", _JOBS),
    Mutation("pages/server/records.py", "if content and columns != _columns():", "if False:", _JOBS),
    Mutation("pages/server/records.py", 'if any(job.state == "running" and job.saved and', "if False and any(", _JOBS),
    Mutation("pages/server/codec.py", "if parts is not None and isinstance(made, Stored)", "if False", _SAVER),
    Mutation(
        "pages/server/records.py",
        '    except TypeError:\n        return b""\n',
        '    except ZeroDivisionError:\n        return b""\n',
        _JOBS,
    ),
    Mutation(
        "pages/server/records.py", "for key, saved in list(own.saved_runs.items()):", "for key, saved in []:", _SAVER
    ),
    Mutation(
        "pages/server/records.py",
        "news := held.run.snapshots_since(done)",
        "news := held.run.snapshots_since(0)",
        _SAVER,
    ),
    Mutation("pages/server/records.py", "_PAST = 3", "_PAST = 1", _SAVER),
    Mutation(
        "pages/server/records.py",
        'stored_file("waiting", waiting)',
        'stored_file("resting", waiting)',
        _SAVER,
    ),
    Mutation("pages/server/records.py", "image_shape=shape,", "image_shape=None,", _SAVER),
    Mutation("pages/server/embeddings.py", "if self.features != _hashed(panel.X):", "if False:", _RESTORE),
    Mutation("pages/server/records.py", "json.dumps([content, to_link(done)]", "json.dumps([content]", _ROWS),
    Mutation("pages/server/records.py", "json.dumps([content, to", "json.dumps([to", _ROWS),
    Mutation("pages/server/records.py", "if own.comparison is not comparison:", "if False:", _ROWS),
    Mutation(
        "pages/server/records.py",
        "replace(saved, snapshots=(Stored(part),))",
        'replace(saved, snapshots=(Stored(part),), rows="")',
        _ROWS,
    ),
    Mutation("pages/server/saver.py", "return bool(self._elsewhere(owner))", "return True", _ROUTES),
    Mutation("pages/server/saver.py", "if each.workspace not in here]", "]", _SAVER),
    Mutation("pages/server/saver.py", "{name: _OTHER for name in parts if name != META}", "{}", _SAVER),
    Mutation("pages/server/saver.py", "sorted(spaces, key=lambda each: _table_bytes(*each))", "spaces", _SAVER),
    Mutation("pages/server/saver.py", "            elif not saved.lost:", "            elif False:", _SAVER),
    Mutation(
        "pages/server/saver.py",
        "                self._saved[space.token] = _Saved()\n",
        "                pass\n",
        _SAVER,
    ),
    Mutation(
        "pages/server/saver.py",
        "            elif writer is not None:\n                self._forget(space)\n",
        "",
        _SAVER,
    ),
    Mutation("pages/server/saver.py", "store.touch([saved", "list([saved", _SAVER),
    Mutation("pages/server/saver.py", "before.of is not part.of or", "True or", _SAVER),
    Mutation("pages/server/saver.py", "if fault is not None and why != before:", "if fault is not None:", _SAVER),
    Mutation("pages/server/session.py", "        SAVER.drop_claimed(owner)\n", "", _SAVER),
)
