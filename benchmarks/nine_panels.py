"""Nine trainings of digits on the page *Compare*: painted frames, how soon a press is answered, and who gets how far.

    python benchmarks/nine_panels.py [--probe ../shared/tools/stage_probe.js] [--seconds 6]

The whole app runs, and a headless Chromium shows it. Frames are counted by the probe, which looks at the pixels of
every picture. A press is answered when the stage says what came of it: the time is taken in the page, from the
click's event to the change of that text. Where another machine takes time of these processors, frames are lost to
it: its share is printed beside them.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from statistics import median

import psutil
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS, find_browser, running_app  # noqa: E402

KEYS = ["nca", *(f"nca-{k}" for k in range(2, 10))]
WATCH = """() => {
  const within = (node) =>
    [...node.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? within(e.shadowRoot) : [])]);
  const status = within(document).find((e) => e.matches(".readout .status"));
  window.press = {};
  document.addEventListener("click", () => (window.press = { at: performance.now() }), true);
  const look = () => (press.answered ??= press.at && performance.now());
  new MutationObserver(look).observe(status, { childList: true, characterData: true, subtree: true });
}"""


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile(rf"^\W*{name}\b")).first.click()


def iterations(page: Page) -> list[int]:
    """How far each training is, by what its panel offers to branch from."""
    reached = []
    for fork in page.locator(".machine > button").all():
        fork.click()
        reached.append(int(page.get_by_role("button", name="Branch from iteration").inner_text().split()[-1]))
        page.keyboard.press("Escape")
    return reached


def compare(page: Page, address: str, dimensions: int, seconds: float, presses: int) -> None:
    settings = "&".join(f"{key}.start=random&{key}.seed={k}&{key}.max_iter=2000" for k, key in enumerate(KEYS))
    page.goto(f"{address}/compare?recipe=2&data=digits&dimensions={dimensions}&panels={','.join(KEYS)}&{settings}")
    page.wait_for_selector(".panel canvas")
    page.wait_for_timeout(4000)
    press(page, "Train")
    page.wait_for_timeout(2500)
    page.evaluate(WATCH)
    psutil.cpu_times_percent()
    page.evaluate("stageProbe.reset()")
    page.wait_for_timeout(1000 * seconds)
    frames = page.evaluate("stageProbe.read()")
    stolen = psutil.cpu_times_percent().steal
    answers = []
    for name in ("Pause", "Resume") * presses + ("Pause",):
        press(page, name)
        page.wait_for_function("() => press.answered", polling=20)
        answers.append(page.evaluate("press.answered - press.at") / 1000)
        page.wait_for_timeout(1500)
    reached = iterations(page)
    print(
        f"{dimensions}-D  {frames['fps']:5.1f} frames/s, blank {frames['blank']}, stolen {stolen:4.1f} %   "
        f"pressed and answered {median(answers):.2f} s, at most {max(answers):.2f} s   "
        f"iterations {min(reached, default=0)} to {max(reached, default=0)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", type=Path, default=ROOT.parent / "shared" / "tools" / "stage_probe.js")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--presses", type=int, default=4, help="how often to press Pause and Resume")
    arguments = parser.parse_args()
    with running_app("nine_panels.log") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        for dimensions in arguments.dimensions:
            context = browser.new_context(viewport={"width": 1400, "height": 1000})
            page = context.new_page()
            page.set_default_timeout(60_000)
            page.add_init_script(path=arguments.probe)
            compare(page, address, dimensions, arguments.seconds, arguments.presses)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
