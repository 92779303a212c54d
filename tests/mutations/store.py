"""What is broken on purpose in the saving and restoring of workspaces."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_CODEC = ("tests/pages/server/test_codec.py",)
_STORE = ("tests/pages/server/test_store.py",)
_SAVER = ("tests/pages/server/test_saver.py",)
_JOBS = ("tests/pages/server/test_saved_jobs.py",)
_RESTORE = ("tests/pages/server/test_restore.py",)
_ROWS = ("tests/pages/server/test_other_rows.py",)
_SETTINGS = ("tests/pages/server/test_store_of_settings.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)

STORE: tuple[Mutation, ...] = (
    *mutations(
        "pages/server/codec.py",
        _CODEC,
        ("if found.dtype.hasobject:", "if False:"),
        ("if not module.startswith(_PACKAGES):", "if False:"),
        ("if not (isinstance(found, type) and is_dataclass(found)):", "if False:"),
        (" for field, each in given.items() if field in known}", " for field, each in given.items()}"),
        ("if id(found) not in arrays:", "if True:"),
        ("np.ascontiguousarray(found)", "np.asfortranarray(found).T"),
        ("arrays[key].flags.writeable = False", "pass"),
        ("key = offset, dtype, *shape", "key = (offset,)"),
    ),
    *mutations(
        "pages/server/store.py",
        _STORE,
        ("(owner + self._scope)", "owner"),
        (", _row.updated > self._clock() - self._seconds)", ")"),
        (", _row.server == found.server)", ")"),
        ("update(_parts).where(*mine, _row.server == self.server)", "update(_parts).where(*mine)"),
        (" or connection.execute(select(_row.server).where(*mine)).first()", ""),
        ("{*changed, *gone} if", "{*changed} if"),
        ("values(updated=self._clock())", "values(updated=_row.updated)"),
        ("connection.execute(delete(_parts).where(_row.workspace.in_(expired)))", "pass"),
        ("order_by=newest_first", "order_by=each.c.workspace"),
        ("total.c.total > self._most_bytes", "total.c.total > 1e12"),
        ("- _OURS):", "- set(os.listdir(folder))):"),
        ("O_RDWR, 0o600)", "O_RDWR, 0o644)"),
        ("folder.mkdir(mode=0o700", "folder.mkdir(mode=0o755"),
        ("fetchone()[0] != _APPLICATION:", "fetchone()[0] == 1:"),
        ("?mode=rw", "?mode=rwc"),
        ("application_id = 0 AND NOT", "NOT"),
        ('connection.execute("PRAGMA auto_vacuum = FULL")', "pass"),
    ),
    *mutations("pages/server/store.py", _SAVER, ("shutil.disk_usage(path).free < _LEAST", "False")),
    *mutations("pages/server/store.py", _SETTINGS, ("scope=str(port)", 'scope=""')),
    *mutations(
        "pages/server/records.py",
        _JOBS,
        ("own.jobs[key] = _ended_job(", "_ended_job("),
        ("if content and columns != _columns():", "if False:"),
        ('if any(job.state == "running" and job.saved and', "if False and any("),
        ('    except TypeError:\n        return b""\n', '    except ZeroDivisionError:\n        return b""\n'),
    ),
    *mutations("pages/server/codec.py", _SAVER, ("if parts is not None and isinstance(made, Stored)", "if False")),
    *mutations(
        "pages/server/records.py",
        _SAVER,
        ("for key, saved in list(own.saved_runs.items()):", "for key, saved in []:"),
        ("news := held.run.snapshots_since(done)", "news := held.run.snapshots_since(0)"),
        ("_PAST = 3", "_PAST = 1"),
        ('stored_file("waiting", waiting)', 'stored_file("resting", waiting)'),
        ("image_shape=shape,", "image_shape=None,"),
    ),
    *mutations("pages/server/embeddings.py", _RESTORE, ("if self.features != _hashed(panel.X):", "if False:")),
    *mutations(
        "pages/server/records.py",
        _ROWS,
        ("json.dumps([content, to_link(done)]", "json.dumps([content]"),
        ("json.dumps([content, to", "json.dumps([to"),
        ("if own.comparison is not comparison:", "if False:"),
        ("replace(saved, snapshots=(Stored(part),))", 'replace(saved, snapshots=(Stored(part),), rows="")'),
    ),
    *mutations("pages/server/saver.py", _ROUTES, ("return bool(self._elsewhere(owner))", "return True")),
    *mutations(
        "pages/server/saver.py",
        _SAVER,
        ("if each.workspace not in here]", "]"),
        ("{name: _OTHER for name in parts if name != META}", "{}"),
        ("sorted(spaces, key=lambda each: _table_bytes(*each))", "spaces"),
        ("            elif not saved.lost:", "            elif False:"),
        ("                self._saved[space.token] = _Saved()\n", "                pass\n"),
        ("            elif writer is not None:\n                self._forget(space)\n", ""),
        ("store.touch([saved", "list([saved"),
        ("before.of is not part.of or", "True or"),
        ("if fault is not None and why != before:", "if fault is not None:"),
    ),
    *mutations("pages/server/session.py", _SAVER, ("        SAVER.drop_claimed(owner)\n", "")),
)
