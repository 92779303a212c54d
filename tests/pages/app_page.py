"""A page of the app without a browser, by Streamlit's AppTest: what its tests share. The fixtures stand in conftest."""

from collections.abc import Mapping
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.controls import upload

MAIN = Path(__file__).resolve().parents[2] / "pages" / "main.py"
# Open, so that a test need not open them.
FOLDED = *(f"explore.{name}" for name in ("advanced", "noise_lab", "shape", "share", "test_rows")), "learn.make"
TABLE = "height,width,kind\n" + "".join(f"{i ^ 1},{i * i % 11},{'tall' if i > 10 else 'low'}\n" for i in range(20))


def opened(address: Mapping[str, str], screen: str | None = None):
    """The app at an address (its settings), on Explore or another screen; it trains at full speed but for lessons."""
    page = AppTest.from_file(str(MAIN), default_timeout=60)
    for key in FOLDED:
        page.session_state[key] = True
    pace = {} if screen == "learn.py" else {"pace": "full_speed"}
    for name, value in {**pace, **address}.items():
        page.query_params[name] = value
    if screen is not None:
        page.switch_page(screen)
    page.run()
    return page


def address(page):
    """The settings that the address names."""
    return {name: value if isinstance(value, str) else value[-1] for name, value in page.query_params.items()}


def space(page):
    """What the page works with: data, runs, scene."""
    return page.session_state["session.workspace"]


def prepared(page):
    """(the data set, what was prepared from it) that were prepared last."""
    comparison = space(page).document.comparison
    return comparison.prepared.raw, comparison.prepared


def shown_space(page):
    """The workspace of the page that is open: Explore's, Compare's or the lessons'."""
    first, title = space(page), page.session_state["main.page"]
    return {"Compare": first.second, "Learn": first.lessons}.get(title) or first


def run_of(page, key="nca"):
    """The training of a panel on the page that is open; None where there is none."""
    held = shown_space(page).runs.get(key)
    return None if held is None else held.run


def press(page, label):
    """A button by its words."""
    button(page, label).click()
    page.run()


def click(page, key):
    """A button by its key."""
    page.button(key=key).click().run()


def keys(page):
    """Of the buttons."""
    return [button.key for button in page.button]


def train(page, *keys):
    """Press Train, wait until these panels have ended, NCA by default; returns the run of the first."""
    press(page, "Train")
    runs = [run_of(page, key) for key in keys or ("nca",)]
    assert all(run.wait_for_end(60) for run in runs)
    page.run()
    return runs[0]


def button(page, label):
    """The first button with these words."""
    return next(button for button in page.button if button.label == label)


def table(page):
    """The first table of the page, a DataFrame."""
    return page.dataframe[0].value


def bring(page, name, data):
    """Drop a file on the field of the Data page."""
    page.file_uploader(key="data.upload").set_value((name, data, "text/csv")).run()


def choose(page, key, value):
    """In a select box."""
    page.selectbox(key=key).set_value(value).run()


def built(page):
    """The data set made of the table that was brought along."""
    return upload.built_dataset(space(page))


def said(elements):
    """The words as a person reads them."""
    return [element.value.replace("\\", "") for element in elements]


def lines(page):
    """All captions and texts, as a person reads them."""
    return "\n".join(said([*page.caption, *page.markdown]))


def measured(labels):
    """A head and twelve rows: two numbers and a label."""
    return [["u", "v", "label"], *([k * k % 7, k * 3 % 5, labels[k % len(labels)]] for k in range(12))]
