"""Waiting for the very thing that is looked at, however slow the machine: no time is ever long enough by itself."""

import time

from playwright.sync_api import Error, expect

PATIENCE = 45  # seconds, as `expect` has them
FRAMES = """(frames) => new Promise((done) => {
  const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(done, 100));
  next();
})"""


def at_last(page, check, seconds=PATIENCE):
    """Make a check, which asserts, again and again until nothing in it fails; the last failure is the test's."""
    end = time.monotonic() + seconds
    while True:
        try:
            return check()
        except (AssertionError, Error):
            if time.monotonic() > end:
                raise
        page.wait_for_timeout(100)


def steady(page, read, times=5):
    """What `read()` gives once it is the same so many times in a row, some pictures of the browser between two."""
    end = time.monotonic() + PATIENCE
    seen, same = read(), 0
    while same < times:
        assert time.monotonic() < end, f"It never came to rest: {seen}"
        page.evaluate(FRAMES, 6)
        now = read()
        same = same + 1 if now == seen else 0
        seen = now
    return seen


def rest(page):
    """As a person does: press nothing while the page still answers, or is about to be told what the stage shows."""
    page.wait_for_timeout(350)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def a_point(page):
    """A place in the first panel where a point is: where the canvas is not of the page's colour."""
    return steady(
        page,
        lambda: page.locator(".panel canvas").first.evaluate("""(canvas) => {
          canvas.scrollIntoView({ block: "nearest" });
          const { width, height } = canvas, box = canvas.getBoundingClientRect();
          const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
          let k = Math.floor(height / 3) * width;
          while (k < pixels.length && pixels[k] === pixels[0]) k++;
          const line = Math.floor(k / width) + 4;
          return [box.left + ((k % width) * box.width) / width, box.top + (line * box.height) / height];
        }"""),
    )
