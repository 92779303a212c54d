"""Keys that are shortcuts while a select box has the focus: it takes no text, so a letter is meant for the page."""

from __future__ import annotations

# To Streamlit's shortcuts a select box is a text field, though it shows a list only, and it keeps its keys for itself.
# So the letter is pressed anew on the page. Fields that one can type into are left alone.
KEYS = """<script>
if (!window.ncaKeys) {
  window.ncaKeys = true;
  addEventListener("keydown", (event) => {
    const { key, code, keyCode, ctrlKey, metaKey, altKey, target } = event;
    if (key.length > 1 || key === " " || ctrlKey || metaKey || altKey) return;
    if (!target.matches?.("input[role=combobox][inputmode=none][aria-expanded=false]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const kind of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(kind, { key, code, keyCode, which: keyCode, bubbles: true }));
  }, true);
}
</script>"""
