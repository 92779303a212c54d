"""The page of comparisons in a real browser: trainings by a link, branches, many panels, rows to select."""

import re

from playwright.sync_api import expect

from tests.browser.accessible import expect_accessible
from tests.browser.select_box import press
from tests.browser.waiting import at_last, rest, steady

SEVEN = (
    "recipe=2&data=wine&panels=pca,lda,nca,nca-2,nca-3,mcml,whitening&nca-2.objective=g&nca-3.labels=shuffled"
    "&nca-3.start=random&nca-3.seed=4&pace=full_speed&mcml.max_iter=20&split.seed=3"
)
TWO = ("nca", "nca-2")
LONG = "&".join(f"{key}.optimiser=gradient-ascent&{key}.max_iter=2000" for key in TWO)
PRESS = """(keys) => keys.forEach((key, k) => setTimeout(
  () => document.querySelector(`.st-key-compare-train-${key} button`).click(), k * 50))"""


def numbers_of(page):
    """Title -> the numbers at its foot, as they rest: the picture swings to the newest iteration."""
    expect(page.locator(".panel .foot").nth(5)).to_contain_text("f/n")
    titles, feet = page.locator(".panel h3").all_inner_texts(), page.locator(".panel .foot")
    return dict(zip(titles, steady(page, feet.all_inner_texts), strict=True))


def test_panels_by_their_link_train_a_cell_selects_its_rows_and_two_branches_make_nine_that_fit(page, app_address):
    messages = []
    page.on("websocket", lambda s: s.on("framereceived", lambda m: messages.append(m)) if "/live" in s.url else None)
    page.goto(f"{app_address}/compare?{SEVEN}")
    expect(page.locator(".panel h3")).to_have_count(7)
    press(page, "Train")
    expect(page.locator(".readout .status")).to_contain_text("4 of 4 ended", timeout=120_000)
    numbers = numbers_of(page)
    assert len({*numbers.values()}) >= 5  # the panels differ
    assert "held out" in numbers["PCA"]  # beside those that train
    page.get_by_role("tab", name="Differences").click()
    page.get_by_text("Confusion of").scroll_into_view_if_needed()
    table = page.locator('[class*="st-key-compare-confusion "] [data-testid=stDataFrame]')
    expect(table).to_be_visible()
    rest(page)
    box = steady(page, table.bounding_box)  # the table takes its place
    page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 50)  # the first class, taken for itself
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_text(re.compile(r"^\d+ points? selected; Escape"))).to_be_visible()
    expect_accessible(page)

    assert any(isinstance(message, bytes) for message in messages)
    page.get_by_label("Iteration shown").fill("4")
    expect(page.locator(".readout .numbers")).to_contain_text("iteration 4")
    rest(page)  # another scene would close the list
    messages.clear()
    page.locator(".machine > summary:visible").first.click()
    page.get_by_role("button", name="Branch from iteration 4").click()
    expect(page.locator(".panel h3").nth(3)).to_have_text("NCA 4")
    expect(page.locator(".panel .remark").nth(3)).to_contain_text("Starts from iteration 4 of NCA")
    expect(page).to_have_url(re.compile(r"nca-4\.start=nca(@|%40)4"))
    expect(page.get_by_test_id("stSidebar").get_by_text("starts from NCA, iteration 4").first).to_be_visible()
    rest(page)
    assert not any(isinstance(message, bytes) for message in messages)  # no frame travels twice
    page.locator(".machine > summary:visible").first.click()
    page.get_by_role("button", name="Replay with another seed").click()
    expect(page.locator(".panel h3").nth(3)).to_have_text("NCA, random start, seed 1")
    expect(page.locator(".panel .foot").nth(3)).to_contain_text("f/n")  # it trains at once
    page.get_by_label("Turn all panels onto one").select_option("turned onto PCA")
    expect(page.locator(".panel .turned").nth(4)).to_have_text("turned onto PCA")
    expect(page.locator(".panel h3")).to_have_count(9)

    def fits():
        bottom = page.locator(".panel").last.bounding_box()
        assert bottom["height"] > 100
        assert bottom["y"] + bottom["height"] <= 1000

    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    at_last(page, fits)


def test_two_buttons_pressed_at_nearly_the_same_moment_both_count(page, app_address):
    page.goto(f"{app_address}/compare?recipe=2&data=wine&panels=nca,nca-2&pace=calm&{LONG}")
    for key in TWO:
        expect(page.locator(f".st-key-compare-train-{key} button").first).to_be_visible()
    page.evaluate(PRESS, list(TWO))
    for key in TWO:
        expect(page.locator(f".st-key-compare-pause-{key} button").first).to_be_visible()


def test_an_experiment_opens_on_its_kept_run_and_is_accessible(page, app_address):
    page.goto(f"{app_address}/experiments?experiment=r-fig4")
    expect(page.get_by_role("button", name="Download as a report")).to_be_visible()
    page.get_by_text("How it was computed, and run it again").click()
    expect(page.get_by_text(re.compile("from the kept run"))).to_be_visible()
    expect_accessible(page)
