"""The button that opens the test rows: its count, its words, and what resets the count."""

import pytest

from datasets.base.words import percent
from pages.server.codec import decode, encode
from pages.server.records import record_of
from study.measure import CHOSEN
from tests.pages.app_page import space

LINK = {"data": "wine", "held_out": "0.3", "test": "0.2"}


def lines(page):
    return " ".join(one.value for one in [*page.caption, *page.markdown])


def press(page, key):
    page.button(key=key).click().run()


@pytest.mark.parametrize("screen", [None, "compare.py"])
def test_the_page_counts_how_often_the_test_rows_were_opened(open_page, screen):
    page = open_page(LINK, screen)
    assert "for validation, 36 for testing" in lines(page)
    assert "Not opened yet; chosen by validation rows." in lines(page)
    assert "test row" not in lines(page).replace("test rows", "")
    press(page, "explore.open_test")
    assert "Opened once; chosen by validation rows." in lines(page)
    here = space(page) if screen is None else space(page).second
    scores = here.document.test_scores[1]
    assert [score.panel.key for score in scores] == ["pca", "lda"]
    assert percent(scores[0].accuracy_1nn) in lines(page)
    press(page, "explore.open_test")
    assert "Opened 2 times; chosen by validation rows. The numbers are no longer a clean test." in lines(page)
    (saved,) = decode(encode(record_of(space(page), {})[0])).pages["first"].openings.values()
    assert saved == 2
    page.slider(key="explore.test").set_value(30).run()
    assert "Not opened yet" in lines(page)
    page.slider(key="explore.test").set_value(20).run()
    assert "Opened 2 times" in lines(page)


def test_without_test_rows_there_is_no_button(open_page):
    page = open_page({"data": "wine"})
    assert "explore.open_test" not in {button.key for button in page.button}
    assert f"is {CHOSEN}." in lines(page)
