"""Exported pages in a real browser, from disk: they play and train, ask nothing of any network, run no user's word."""

import time

import numpy as np
import pytest
from playwright.sync_api import expect

from datasets.base.dataset import Dataset, Source
from datasets.preparation import PreparationConfig
from export.player import PLAYER
from export.playground import playground
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.browser.waiting import at_last
from tests.export.subjects import HOSTILE, made, nca, subject_of


def wait_for(page, condition):
    """As `wait_for_function`, which the page's own policy forbids: it would evaluate a text in the page."""
    until = time.monotonic() + 45
    while not page.evaluate(condition):
        assert time.monotonic() < until, condition
        page.wait_for_timeout(50)


@pytest.fixture
def opened(page, tmp_path):
    """The page of a comparison whose every name is hostile, and the addresses that it asked for."""
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + y[:, None] * [1.5, 0, 0.5, 0]
    names = tuple(f"{HOSTILE}{k}" for k in range(4))
    dataset = Dataset(HOSTILE, X, y, names, names[:3], Source("x"))
    panels = (PanelRecipe("pca", title=HOSTILE), nca(12), nca(8, "nca-2"))
    recipe = Recipe(
        data=DataRecipe("own", name=HOSTILE), panels=panels, preparation=PreparationConfig(held_out_fraction=0.25)
    )
    path = tmp_path / "player.html"
    path.write_bytes(made(PLAYER, subject_of(recipe, dataset)).data)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    wait_for(page, "window.ncaStage?.panels.every((panel) => panel.extent)")
    return page, asked, path


def test_it_plays_from_disk_without_a_network(opened):
    page, asked, path = opened
    wait_for(page, "ncaStage.player.position > 0.5")  # it plays by itself
    wait_for(page, "ncaStage.player.mode === 'follow'")  # and comes to the end
    expect(page.locator(".readout .numbers")).to_have_text("iteration 12")
    page.locator("input.scrub").fill("3")
    expect(page.locator(".readout .numbers")).to_have_text("iteration 3")
    page.locator("h1").click()
    page.keyboard.press("Space")
    wait_for(page, "ncaStage.player.mode === 'replay'")
    page.keyboard.press("Space")
    wait_for(page, "ncaStage.player.mode === 'hold'")
    page.locator("input.scrub").fill("3")
    before = page.evaluate("ncaStage.panels[1].xs[0]")
    page.get_by_role("button", name="One iteration on").click()
    expect(page.locator(".readout .numbers")).to_have_text("iteration 4")
    wait_for(page, f"ncaStage.panels[1].xs[0] !== {before!r}")

    def hovered():
        box = page.locator(".panel canvas").first.bounding_box()
        x, y = page.evaluate("(({ xs, ys, ratio }) => [xs[0] / ratio, ys[0] / ratio])(ncaStage.panels[0])")
        page.mouse.move(box["x"] + x, box["y"] + y)
        expect(page.locator(".card b")).to_contain_text("</script>", timeout=1_000)  # a name of a class, as text

    at_last(page, hovered)
    page.get_by_label("Turn all panels onto one").select_option(label=f"turned onto {HOSTILE}")
    page.locator("#theme").click()
    wait_for(page, "ncaStage.theme.dark")
    expect(page.locator("td").first).to_have_text(HOSTILE)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img").count() == 0
    assert asked == [path.as_uri()]


def test_the_file_trains_without_a_request(chromium, tmp_path):
    file = tmp_path / "playground.html"
    file.write_text(playground(), encoding="utf-8")
    assert file.stat().st_size <= 500_000
    page = chromium.new_page(viewport={"width": 1200, "height": 900})
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{file.as_uri()}#pace=full")
    train = page.get_by_role("button", name="Train (key T)")
    page.keyboard.press("s")
    expect(page.locator(".numbers")).to_contain_text("iteration 1")
    page.keyboard.press("x")
    expect(page.locator(".numbers")).to_contain_text("iteration 0")
    train.click()
    expect(train).to_have_text("Train again", timeout=90_000)
    accuracy = {
        row.locator("th").inner_text(): int(row.locator("td").first.inner_text().split()[0])
        for row in page.locator("#table tr").all()[1:]
    }
    assert accuracy["NCA"] >= 90 > 60 >= max(accuracy["PCA"], accuracy["LDA"])
    page.get_by_label("Data", exact=True).select_option("drawing")
    expect(page.locator("#message")).to_contain_text("Draw at least eight points")
    expect(train).to_be_disabled()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
    page.close()
