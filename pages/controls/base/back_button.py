"""The browser's back and forward buttons: one step a page, and a page comes back as it was left.

Streamlit writes to the address in ways that do not suit them: what a script puts there becomes a step of its own, so
that one presses twice; and before it goes to another page it takes all settings out of the address of the one that is
left, so that coming back would show the defaults in the place of what was trained.
"""

from __future__ import annotations

# The version of the recipe stands in every address of ours: only leaving a page takes it out.
BACK_BUTTON = """<script>
if (!history.ncaWrapped) {
  history.ncaWrapped = true;
  const push = history.pushState.bind(history);
  let left = "";
  const of = (address) => new URL(address, location.href);
  history.pushState = (state, title, url) => {
    const next = of(url ?? location.href), now = of(location.href);
    if (next.pathname === now.pathname) {
      if (now.searchParams.has("recipe") && !next.searchParams.has("recipe")) left = location.href;
      history.replaceState(state, title, url);
      return;
    }
    if (left) history.replaceState(history.state, "", left);
    left = "";
    push(state, title, url);
  };
  addEventListener("popstate", () => { left = ""; });
}
</script>"""
