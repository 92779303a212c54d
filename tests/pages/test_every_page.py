"""What every page has: a view for a room, and the Export menu where there is a stage."""

import pytest

from tests.pages.app_page import address, press

PAGES = {
    "explore.py": {"data": "iris"},
    "compare.py": {"data": "iris"},
    "understand.py": {"data": "iris"},
    "learn.py": {"lesson": "shadow", "step": "2"},
    "experiments.py": {},
    "data.py": {},
}


@pytest.mark.parametrize("screen", PAGES)
def test_every_page_can_be_presented_and_left_and_each_stage_has_the_export_menu(open_page, screen):
    page = open_page({**PAGES[screen], "present": "1"}, screen)
    assert address(page)["present"] == "1"
    page.session_state["export.menu"] = True
    press(page, "Leave")
    assert "present" not in address(page)
    if screen in ("experiments.py", "data.py"):
        return
    assert "picture" in page.selectbox("export.what").value
    assert "export.picture_request" not in page.session_state
    page.button("export.picture").click().run()
    assert page.session_state["export.picture_request"] == (1, "png1")
