"""Keys that are shortcuts also where a field has the focus that takes no text: there a letter is meant for the page."""

from __future__ import annotations

# To Streamlit's shortcuts a select box or a slider is a text field, though nothing can be typed there, and it keeps its
# keys for itself. So the letter is pressed anew on the page. Fields that one can type into are left alone.
KEYS = """<script>
if (!window.ncaKeys) {
  window.ncaKeys = true;
  addEventListener("keydown", (event) => {
    const { key, code, keyCode, ctrlKey, metaKey, altKey } = event;
    const target = event.composedPath()[0]; // within the stage, too
    if (key.length > 1 || key === " " || ctrlKey || metaKey || altKey) return;
    const textless = "input[role=combobox][inputmode=none][aria-expanded=false], input[type=range], select";
    if (!target.matches?.(textless)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const kind of ["keydown", "keyup"])
      document.body.dispatchEvent(new KeyboardEvent(kind, { key, code, keyCode, which: keyCode, bubbles: true }));
  }, true);
}
</script>"""
