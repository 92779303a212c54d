"""axe-core over whole pages, in both themes."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.waiting import rest

THEMES = {"dark": "rgb(18, 22, 28)", "light": "rgb(255, 255, 255)"}  # the colour of the page in each
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def serious(page, rules=None, within=None):
    """What axe-core calls serious or critical: rule, place and summary of each."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    return [
        (each["id"], node["target"], node["failureSummary"])
        for each in Axe().run(page, context=within, options=options).response["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def expect_accessible(page):
    """Nothing serious in either theme: all rules in the dark one, those about colours in the light one."""
    rest(page)
    for theme, paper in THEMES.items():
        page.emulate_media(color_scheme=theme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", paper)
        for patience in (600, 2_000, 5_000):  # colours fade from one theme to the other
            page.wait_for_timeout(patience)
            found = serious(page, None if theme == "dark" else OF_COLOURS)
            if not found:
                break
        assert not found, theme
