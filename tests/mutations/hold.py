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

HOLD: tuple[Mutation, ...] = (
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
    Mutation("pages/server/hosts.py", "urlsplit(origin).netloc == host", "hostname(origin) == hostname(host)", _HOSTS),
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
        "pages/server/saved.py", "news = held.run.snapshots_since(done)", "news = held.run.snapshots_since(0)", _STORE
    ),
    Mutation("pages/server/turns.py", "self._queue.index(ticket) + 1 - self._at_once", "0", _TURNS),
    Mutation("datasets/reading/read_table.py", "len(data) > _HERE", "False", _APART),
    Mutation("pages/server/owner.py", "; HttpOnly", "", _OWNER),
)
