"""What is broken on purpose in the holding of workspaces: whose they are, how much they take, who is let in."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_HUB = ("tests/pages/server/test_hub.py",)
_LINKS = ("tests/pages/test_explore_links.py",)
_ROUTES = ("tests/pages/server/test_routes.py",)
_OWNER = ("tests/pages/server/test_owner.py",)

HOLD: tuple[Mutation, ...] = (
    Mutation("pages/server/routes.py", "space.belongs_to(owner_of(asks.cookies))", "True", _ROUTES),
    Mutation(
        "pages/server/hub.py", "if space.first is space and space.belongs_to(owner)", "if space.first is space", _HUB
    ),
    Mutation("pages/server/hub.py", "sorted(ranked, key=lambda each: each[0])", "ranked", _HUB),
    Mutation("pages/server/workspace.py", "if self._holder != session_id and self._holder_lives():", "if False:", _HUB),
    Mutation("pages/server/session.py", "or not held.belongs_to(owner)", "", _LINKS),
    Mutation(
        "pages/server/session.py",
        "gone.belongings.beside() if gone.belongs_to(owner) else",
        "gone.belongings.beside() if True else",
        _LINKS,
    ),
    Mutation("pages/server/owner.py", "; HttpOnly", "", _OWNER),
)
