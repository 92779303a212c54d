"""Store: saved parts of workspaces in one database table, SQLite by default, PostgreSQL to share between servers.

Each row is a part of a workspace. The row "meta" holds the workspace's record, the hashed cookie of its owner, the
server that writes it, and when it was last used. A server writes only workspaces that it has claimed, so each has one
writer.
"""

import contextlib
import hashlib
import logging
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

VARIABLE, MOST_VARIABLE = "NCA_EXPLORER_STORE", "NCA_EXPLORER_STORE_MB"
OFF = "off"
META = "meta"
FILE = "nca-explorer.sqlite3"
_LOCK = 0x4E434158  # of servers that create the table at once
_OURS = {FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-journal", "lost+found"}
_LEAST = 100_000  # free bytes that SQLite needs
_WAIT = 10.0  # seconds for another writer
_log = logging.getLogger(__name__)

_metadata = sa.MetaData()
_parts = sa.Table(
    "nca_explorer_parts",
    _metadata,
    sa.Column("workspace", sa.String(32), primary_key=True),
    sa.Column("part", sa.String(300), primary_key=True),
    sa.Column("owner", sa.String(32), index=True),
    sa.Column("server", sa.String(16)),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
)
_row = _parts.c


class StoreError(Exception):
    """The store cannot be used now. The message is for users, the cause for the log."""


@dataclass(frozen=True)
class Found:
    """Key, writer and part "meta" of a saved workspace."""

    workspace: str
    server: str
    meta: bytes


class Store:
    """Saved workspaces, in a folder used by nothing else (SQLite) or a postgresql:// database.

    Workspaces unused for `seconds` expire; beyond `most_bytes` those unused for longest are deleted. `scope` separates
    servers that share a folder. Raises ValueError for an address that can never be used, ImportError without psycopg,
    StoreError or OSError if it cannot be used now.
    """

    def __init__(
        self,
        address: str,
        seconds: float,
        most_bytes: float = 2e9,
        scope: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.server = secrets.token_hex(8)
        self._seconds, self._most_bytes, self._scope, self._clock = seconds, most_bytes, scope, clock
        self._path: Path | None = None
        kind, separator, server = address.partition("://")
        if separator and kind in ("postgresql", "postgres"):
            try:
                self._engine = sa.create_engine(f"postgresql+psycopg://{server}", pool_pre_ping=True, pool_size=2)
            except ImportError:
                why = f"A postgresql:// address in {VARIABLE} needs psycopg: pip install 'psycopg[binary]'"
                raise ImportError(why) from None
        elif separator:
            raise ValueError(f"{VARIABLE} takes a folder or a postgresql:// address; no other address can be used.")
        else:
            self._path = Path(address).expanduser() / FILE
            self._engine = sa.create_engine("sqlite://", creator=self._connect, poolclass=sa.NullPool)
            self._create(self._path)
        with self._transaction() as connection:
            if self._path is None:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            connection.execute(CreateTable(_parts, if_not_exists=True))
            for index in _parts.indexes:
                connection.execute(CreateIndex(index, if_not_exists=True))

    def _create(self, path: Path) -> None:
        """Create the SQLite file, or check the existing one."""
        folder = path.parent
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"The store is a file: name a folder in {VARIABLE}") from ValueError(
                f"{folder} is a file."
            )
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if strange := sorted(set(os.listdir(folder)) - _OURS):
            raise ValueError(
                f"The store's folder also holds other files: name an empty one in {VARIABLE}"
            ) from ValueError(f"{folder} also holds {strange[0]}. Name an empty folder in {VARIABLE}.")  # for the log
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with _sentences(path), contextlib.closing(sqlite3.connect(path, timeout=_WAIT)) as connection:
            connection.execute("PRAGMA auto_vacuum = FULL")  # takes effect on an empty file
            with contextlib.suppress(sqlite3.OperationalError):  # another server is doing so
                connection.execute("PRAGMA journal_mode = WAL")

    def _connect(self) -> sqlite3.Connection:
        assert self._path is not None
        # "rw" creates no file, as under a disk that is not mounted.
        connection = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WAIT)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with _sentences(self._path), self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()

    def _hashed(self, owner: str) -> str:
        return hashlib.sha256((owner + self._scope).encode()).hexdigest()[:32]

    def find(self, owner: str) -> list[Found]:
        """Workspaces of the browser with that cookie, last used first."""
        query = (
            sa.select(_row.workspace, _row.server, _row.content)
            .where(_row.owner == self._hashed(owner), _row.part == META, _row.updated > self._clock() - self._seconds)
            .order_by(_row.updated.desc())
        )
        with self._transaction() as connection:
            return [Found(*each) for each in connection.execute(query)]

    def claim(self, found: Found) -> dict[str, bytes] | None:
        """Become the writer of a workspace and read its parts; None if another server was faster."""
        same = (_row.workspace == found.workspace, _row.part == META, _row.server == found.server)
        with self._transaction() as connection:
            if not connection.execute(sa.update(_parts).where(*same).values(server=self.server)).rowcount:
                return None
            parts = connection.execute(sa.select(_row.part, _row.content).where(_row.workspace == found.workspace))
            return {row.part: row.content for row in parts}

    def writers(self, workspaces: Collection[str]) -> dict[str, str]:
        """Server that writes each of these workspaces; missing ones are omitted."""
        query = sa.select(_row.workspace, _row.server).where(_row.part == META, _row.workspace.in_(workspaces))
        with self._transaction() as connection:
            return {row.workspace: row.server for row in connection.execute(query)}

    def write(self, workspace: str, owner: str, changed: Mapping[str, bytes], gone: Collection[str] = ()) -> bool:
        """Write changed parts and delete others in one transaction; False if another server has claimed it."""
        now = self._clock()
        mine = (_row.workspace == workspace, _row.part == META)
        rows = [
            {"workspace": workspace, "part": part, "content": content, "size": len(content), "updated": now}
            for part, content in changed.items()
        ]
        with self._transaction() as connection:
            values: dict[str, Any] = {"updated": now}
            if META in changed:
                values |= {"content": changed[META], "size": len(changed[META])}
            renew = sa.update(_parts).where(*mine, _row.server == self.server).values(values)
            if not connection.execute(renew).rowcount:
                if META not in changed or connection.execute(sa.select(_row.server).where(*mine)).first():
                    return False
                first = next(row for row in rows if row["part"] == META)
                connection.execute(sa.insert(_parts), {**first, "owner": self._hashed(owner), "server": self.server})
            old = [part for part in {*changed, *gone} if part != META]
            connection.execute(sa.delete(_parts).where(_row.workspace == workspace, _row.part.in_(old)))
            if new := [row for row in rows if row["part"] != META]:
                connection.execute(sa.insert(_parts), new)
        return True

    def touch(self, workspaces: Collection[str]) -> None:
        """Renew workspaces in use, so that they do not expire."""
        used = (_row.part == META, _row.server == self.server, _row.workspace.in_(workspaces))
        with self._transaction() as connection:
            connection.execute(sa.update(_parts).where(*used).values(updated=self._clock()))

    def sweep(self) -> None:
        """Delete expired workspaces, then the longest unused beyond the size limit."""
        expired = sa.select(_row.workspace).where(_row.part == META, _row.updated <= self._clock() - self._seconds)
        each = (
            sa.select(_row.workspace, sa.func.sum(_row.size).label("size"), sa.func.max(_row.updated).label("updated"))
            .group_by(_row.workspace)
            .subquery()
        )
        up_to_it = sa.func.sum(each.c.size).over(order_by=(each.c.updated.desc(), each.c.workspace))  # newest first
        total = sa.select(each.c.workspace, up_to_it.label("total")).subquery()
        with self._transaction() as connection:
            connection.execute(sa.delete(_parts).where(_row.workspace.in_(expired)))
            large = sa.select(total.c.workspace).where(total.c.total > self._most_bytes)
            connection.execute(sa.delete(_parts).where(_row.workspace.in_(large)))


@contextlib.contextmanager
def _sentences(path: Path | None) -> Iterator[None]:
    """Turn errors of the database into a StoreError for users."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if path is None:
            raise StoreError("The database cannot be used now") from error
        name = str(getattr(cause, "sqlite_errorname", ""))
        if name == "SQLITE_NOTADB":
            raise ValueError(f"The store's file is no database: name an empty folder in {VARIABLE}") from ValueError(
                f"{path} is no database."
            )
        words = {
            "SQLITE_FULL": "The disk is full",
            "SQLITE_READONLY": "The disk is read-only",
            "SQLITE_CANTOPEN": "The database file cannot be opened: restart the server once its disk is back",
            "SQLITE_CORRUPT": "The database file is damaged: move it away and restart the server",
            "SQLITE_IOERR": "The disk cannot be read or written",
        }
        if name.startswith("SQLITE_IOERR") and path.exists() and shutil.disk_usage(path).free < _LEAST:
            name = "SQLITE_FULL"
        raise StoreError(next((said for start, said in words.items() if name.startswith(start)), str(cause))) from error


# -- settings


def default_folder() -> Path:
    """nca-explorer in XDG_STATE_HOME, else in ~/.local/state; RuntimeError for a user without a home."""
    shared = os.environ.get("XDG_STATE_HOME", "")
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local" / "state") / "nca-explorer"


def store_of_settings(seconds: float, port: int) -> Store | None:
    """Open the store of the settings, or raise as `Store`; None if saving is off or the default folder cannot be used.

    Servers share a store that is set. In the default folder each port has its own scope, since a browser sends one
    cookie to all ports of a machine.
    """
    named = os.environ.get(VARIABLE)
    if named is not None and named.strip().lower() in ("", OFF):
        return None
    most_bytes = 1e6 * float(os.environ.get(MOST_VARIABLE, "2000"))
    if named is not None:
        return Store(named.strip(), seconds, most_bytes)
    where = "a folder of this user"
    try:
        where = str(default_folder())
        return Store(where, seconds, most_bytes, scope=str(port))
    except (OSError, RuntimeError, ValueError, StoreError) as error:  # files of others, a container, no home
        why = getattr(error, "strerror", None) or error
        said = "Work is not saved: %s cannot be used (%s). Set %s to another folder, or to %s."
        _log.warning(said, where, why, VARIABLE, OFF)
        return None
