// Runs before Streamlit's own script: light or dark, the back button, shortcut keys.
(() => {
  // Light or dark: the user's choice, else the system's. Streamlit uses this query and listens to its changes.
  const DARK = "(prefers-color-scheme: dark)", CHOSEN = "nca-theme";
  const ask = matchMedia.bind(window), system = ask(DARK), theme = new EventTarget();
  const dark = () => {
    const chosen = localStorage.getItem(CHOSEN);
    return chosen ? chosen === "dark" : system.matches;
  };
  Object.defineProperty(theme, "matches", { get: dark });
  Object.assign(theme, { media: DARK });
  const changed = () => theme.dispatchEvent(new MediaQueryListEvent("change", { media: DARK, matches: dark() }));
  window.matchMedia = (query) => query === DARK ? theme : ask(query);
  addEventListener("click", ({ target }) => {
    if (!target.closest?.(".st-key-base-theme button")) return;
    localStorage.setItem(CHOSEN, dark() ? "light" : "dark");
    changed();
  });
  system.addEventListener("change", changed);
  addEventListener("storage", ({ key }) => key === CHOSEN && changed()); // chosen in another tab
  // A theme that another Streamlit app at this address stored would win.
  for (const name of Object.keys(localStorage)) if (name.startsWith("stActiveTheme-")) localStorage.removeItem(name);

  // Every address names the version of its recipe; only leaving a page takes it out. So the back button leads to pages.
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
    openPage();
  };
  addEventListener("popstate", () => {
    left = "";
    openPage();
  });

  // A new page starts at its top, with the sidebar closed on a phone.
  function openPage() {
    document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    if (innerWidth < 768) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
  }

  // Enter in a number field applies the number and leaves the field, so that the next letter is a shortcut.
  addEventListener("keydown", ({ key, target }) => {
    if (key === "Enter" && target.matches?.(".stNumberInput input")) setTimeout(() => target.blur());
  });

  // Escape leaves the large type, unless it has closed or cleared something.
  const BUSY = "input, textarea, select, [aria-expanded=true]", OPEN = "[data-testid=stPopoverBody], [role=dialog]";
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.composedPath()[0].matches?.(BUSY)) return;
    if (document.querySelector(OPEN)) return;
    if (of(location.href).searchParams.get("present") === "1") document.querySelector(".st-key-explore-present button")?.click();
  });

  // Streamlit ignores shortcuts while a select box or a slider has the focus; this presses the letter on the page instead.
  const TEXTLESS = "input[role=combobox][inputmode=none][aria-expanded=false], input[type=range], select";
  addEventListener("keydown", (event) => {
    const { key, code, keyCode, ctrlKey, metaKey, altKey } = event;
    if (key.length > 1 || key === " " || ctrlKey || metaKey || altKey) return;
    if (!event.composedPath()[0].matches?.(TEXTLESS)) return; // within the stage, too
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const kind of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(kind, { key, code, keyCode, which: keyCode, bubbles: true }));
  }, true);
})();
