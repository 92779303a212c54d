"""The stage's link to the server: what is asked for, what outlives scenes and reconnections, what the page hears."""

from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

from stage.scene import Panel
from stage.wire import encode_scene
from tests.browser.stage_host import HOST
from tests.browser.stage_page import CORNERS, message, scene_with, snapshot, text_of
from tests.browser.waiting import at_last


def panels(*keys, d=2, D=2):
    return tuple(Panel(key, key.upper(), np.eye(d, D), live=True) for key in keys)


SCENE = scene_with(CORNERS, [0, 1, 2, 3])
TWO = replace(SCENE, panels=panels("nca", "nca-2"))
THREE = replace(SCENE, panels=(SCENE.panels[0], *panels("nca-3", "nca-2", "nca")))


@pytest.fixture
def host(blank):
    """A function that opens the page with some scenes, numbered from 1, and mounts the first unless `known` is None."""

    def opened(*scenes, known="{}"):
        payloads = {str(k): text_of(encode_scene(scene)) for k, scene in enumerate(scenes, 1)}
        blank.evaluate(HOST, payloads)
        if known is not None:
            blank.evaluate(f"mounted({{ scene: 1, known: {known} }})")
        return blank

    return opened


def frames(*iterations, panel=0, run=1):
    return message(*(snapshot(k, np.eye(2) * (1 + k)) for k in iterations), panel=panel, run=run)


def send(page, socket, *messages):
    page.evaluate("([k, texts]) => texts.forEach((text) => sockets[k].frames(text))", [socket, messages])


SCALED = [snapshot(k, np.diag([1.0, 1.0 + 0.4 * k])) for k in range(5)]
ENDED = "sockets[0].runs({ nca: { ...ended(1), min_interval: null } })"


def calm(page, *snapshots):
    """A training of no pace says that it runs and sends snapshots."""
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running', min_interval: null } })")
    send(page, 0, message(*snapshots, panel=1))


def said(page):
    return page.locator(".readout .status").text_content()


NOT_YET = "Once you train, this line explains what moves and why."
SHOWN = "[...document.querySelectorAll('.panel h3')].map((h) => h.textContent)"


def test_an_element_keeps_its_stage_through_reruns_until_it_is_unmounted(host):
    page = host(SCENE)
    page.evaluate("window.first = document.querySelector('.panel canvas')")
    page.evaluate("mounted({ scene: 1, known: { nca: [1, 'running'] } })")
    assert page.evaluate("document.querySelector('.panel canvas') === first")
    assert page.evaluate("asked") == ["/nca/t/scene/1"]  # the scene travels once
    assert page.evaluate("sockets.map((s) => [s.url.pathname, s.scene, s.after])") == [["/nca/t/live", "1", ""]]
    page.evaluate("unmount()")
    assert page.evaluate("sockets[0].closed")


def test_a_picture_is_saved_once_for_each_wish(host):
    """Not for the number that stands there when the page is opened: that one was granted before."""
    page = host(SCENE, known=None)
    saved = []
    page.on("download", lambda download: saved.append(download.suggested_filename))
    for number in (4, 4, 5, 5):
        page.evaluate("(number) => mounted({ scene: 1, known: {}, picture: [number, 'svg', 'my wine'] })", number)
    with page.expect_download():
        page.evaluate("mounted({ scene: 1, known: {}, picture: [6, 'png2', 'my wine'] })")

    def both():
        assert saved == ["my-wine.svg", "my-wine.png"]

    at_last(page, both)
    page.evaluate("pause(500)")
    both()


def test_adding_and_removing_a_panel_loses_nobody_s_history(host):
    page = host(TWO, THREE, replace(TWO, panels=panels("nca-2")))
    page.evaluate("sockets[0].runs({ nca: { run: 3, state: 'running' }, 'nca-2': { run: 4, state: 'running' } })")
    send(page, 0, frames(0, 1, 2, run=3), frames(0, 1, panel=1, run=4))
    page.evaluate("mounted({ scene: 2, known: {} })")
    assert page.evaluate(SHOWN) == ["PCA", "NCA-3", "NCA-2", "NCA"]
    after = page.evaluate("[sockets[0].closed, sockets[1].scene, sockets[1].after.split(',').sort()]")
    assert after == [True, "2", ["nca-2:4:2", "nca:3:3"]]
    send(page, 1, frames(3, panel=3, run=3))
    page.evaluate("mounted({ scene: 3, known: {} })")
    assert page.evaluate("[sockets[2].scene, sockets[2].after]") == ["3", "nca-2:4:2"]
    assert page.evaluate(SHOWN) == ["NCA-2"]
    page.evaluate("mounted({ scene: 2, known: {} })")
    assert page.evaluate("sockets[3].after") == "nca-2:4:2"  # the panel that was away begins anew


def test_snapshots_outlive_a_scene_that_they_fit_but_no_workspace(host):
    wider = replace(scene_with(np.ones((4, 3)), [0, 1, 2, 3]), panels=panels("nca", "nca-2", D=3))
    page = host(TWO, THREE, wider)
    page.evaluate("(text) => { mounted({ scene: 2, known: {} }); sockets[0].frames(text); }", frames(0, 1, run=3))
    page.evaluate("pause()")
    assert page.evaluate("sockets[1].after") == "nca:3:2"  # they came while the scene was loading
    page.evaluate("mounted({ token: 'other', scene: 2, known: {} })")  # which counts its runs from 1 again
    assert page.evaluate("[sockets[2].url.pathname, sockets[2].after]") == ["/nca/other/live", ""]
    send(page, 2, frames(0, 1, panel=3, run=3))
    page.evaluate("mounted({ token: 'other', scene: 3, known: {} })")
    assert page.evaluate("sockets[3].after") == ""  # frames of another size


def test_a_lost_connection_comes_back_with_what_it_has(host):
    page = host(TWO)
    page.evaluate("sockets[0].onopen()")
    send(page, 0, frames(0, 1, run=5), frames(0, 1, 2, panel=1, run=6))
    assert page.evaluate("sockets[0].sent") == ["ack", "ack"]
    page.evaluate("() => { sockets[0].onclose({ code: 1006, reason: '' }); return pause(50); }")
    assert said(page) == "Connection lost. Trying again …"
    page.wait_for_function("sockets.length === 2")
    assert page.evaluate("[sockets[1].scene, sockets[1].after]") == ["1", "nca:5:2,nca-2:6:3"]
    send(page, 0, frames(2, run=5))  # of the old socket: counts no more
    page.evaluate("() => { sockets[1].onopen(); return pause(50); }")
    assert "onnection" not in said(page)
    page.wait_for_function("() => document.querySelector('.status').textContent.startsWith('Connected')")
    assert said(page) == "Connected again. Nothing has changed meanwhile."
    send(page, 1, frames(2, run=5))
    page.evaluate("sockets[1].onclose({ code: 1006, reason: '' })")
    page.wait_for_function("sockets.length === 3")
    assert page.evaluate("sockets[2].after") == "nca:5:3,nca-2:6:3"
    page.evaluate("() => { sockets[2].onclose({ code: 4404, reason: '' }); return pause(700); }")
    assert page.evaluate("sockets.length") == 3
    assert "no longer on the server" in said(page)


def test_a_silent_line_is_dead_and_says_what_happened_meanwhile(host):
    """The server says a word every ten seconds: after 25 without one the page tries again, and its buttons rest."""
    page = host(TWO, known=None)
    page.clock.install()
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p class=st-key-explore-transport></p>')")
    inert = "document.querySelector('.st-key-explore-transport').inert"
    running = "{ run: 5, state: 'running' }"

    def mount():
        page.evaluate("() => { mounted({ scene: 1, known: {} }); }")
        page.clock.run_for(1000)

    mount()
    page.evaluate(f"sockets[0].onopen(), sockets[0].runs({{ nca: {running}, 'nca-2': {running} }})")
    send(page, 0, frames(0, 1, run=5))
    for _ in range(3):  # a word in time
        page.clock.run_for(20_000)
        page.evaluate(f"sockets[0].runs({{ nca: {running}, 'nca-2': {running} }})")
    assert page.evaluate("[sockets.length, sockets[0].closed]") == [1, None]
    page.clock.run_for(25_100)
    assert said(page) == "Connection lost. Trying again …"
    assert page.evaluate(f"[sockets[0].closed, {inert}]") == [True, True]
    page.clock.run_for(500)
    page.evaluate(f"sockets[1].onopen(), sockets[1].runs({{ nca: ended(5), 'nca-2': {running} }})")
    send(page, 1, frames(2, 3, run=5))
    assert not page.evaluate(inert)
    page.clock.run_for(1500)
    assert said(page) == "Connected again. Meanwhile NCA went on to iteration 3 and ended."
    page.clock.run_for(11_000)
    assert "Connected" not in said(page)


def test_the_page_hears_of_an_end_once_its_picture_has_arrived(host):
    page = host(SCENE, known="{ nca: [1, 'running'] }")
    calm(page, *SCALED[:3])
    page.evaluate(ENDED)
    assert page.evaluate("told") == []
    status = page.locator(".readout .status")
    expect(status).to_contain_text("Choosing features: ")  # the words of a moving picture come in a later frame
    page.wait_for_function("told.length === 1")
    assert page.evaluate("told") == [["settled", "nca:1:ended"]]
    expect(status).to_have_text("Converged.")


def test_a_training_that_had_ended_before_the_page_came_is_not_played_again(host):
    page = host(SCENE, known="{ nca: [1, 'ended'] }")
    calm(page, *SCALED[:3])
    page.evaluate(ENDED)
    page.evaluate("pause(400)")
    assert said(page) == "Converged."
    assert "iteration 2 " in page.locator(".readout").inner_text()
    calm(page, *SCALED[3:])  # it goes on
    page.evaluate("pause(400)")
    assert "iteration 2 to 3 " in page.locator(".readout").inner_text()


def test_a_page_of_before_a_restart_asks_to_be_run_until_it_has_another_workspace(host):
    page = host(TWO)
    kept = "() => { sockets[0].onclose({ code: 4404, reason: 'kept' }); return pause(50).then(() => [...told]); }"
    assert page.evaluate(kept) == [["settled", "kept"]]
    assert "Restoring" in said(page)
    page.wait_for_function("told.length >= 2")  # the page's own line may not have been there yet
    page.evaluate("mounted({ token: 'other', scene: 1, known: {} })")
    count = page.evaluate("told.length")
    page.evaluate("pause(1200)")
    assert page.evaluate("[told.length, sockets.length]") == [count, 2]
    page.evaluate("() => { sockets[1].onopen(); return pause(50); }")
    assert said(page) == NOT_YET


def test_a_replaced_scene_is_waited_for(host):
    page = host(TWO, THREE)
    page.evaluate("() => { sockets[0].onclose({ code: 1000, reason: 'replaced' }); return pause(700); }")
    assert page.evaluate("sockets.length") == 1
    page.evaluate("statuses[2] = 409")  # replaced again before it was asked for
    page.evaluate("mounted({ scene: 2, known: {} })")
    assert page.evaluate("sockets.length") == 1
    assert said(page) == NOT_YET
    page.evaluate("() => { late[1] = new Promise(() => {}); mounted({ scene: 1, known: {} }); }")
    page.evaluate("statuses[2] = 200, mounted({ scene: 2, known: {} })")
    assert page.evaluate("signals.slice(-2).map((each) => each.aborted)") == [True, False]  # few may be on their way


def test_one_that_is_let_in_and_sent_away_comes_back_ever_more_seldom(host):
    """Of more stages than a workspace has sockets for; what is served again asks again at once."""
    page = host(TWO)
    refused = """(ms) => {
      const last = sockets.at(-1);
      last.onopen();
      last.onclose({ code: 4429, reason: "" });
      return ms ? pause(ms).then(() => sockets.length) : sockets.length;
    }"""
    for _ in range(3):
        page.wait_for_function("(n) => sockets.length > n", arg=page.evaluate(refused, 0))
    assert page.evaluate(refused, 900) == 4  # of two seconds
    page.wait_for_function("() => sockets.length === 5")
    page.evaluate("() => { sockets[4].onopen(); sockets[4].runs({}); sockets[4].onclose({ code: 1006, reason: '' }); }")
    page.evaluate("pause(700)")
    assert page.evaluate("sockets.length") == 6


MARK = """(root) => [getComputedStyle(root, "::before").content, getComputedStyle(root, "::before").visibility]"""


def test_an_old_picture_is_called_so_until_the_new_one_is_there(host):
    page = host(SCENE, THREE, TWO, known=None)
    stage = page.locator(".nca-stage")
    held = "late[{0}] = new Promise((go) => (window.go = go)); mounted({{ scene: {0}, known: {{}} }});"
    page.evaluate(f"() => {{ {held.format(1)} }}")  # there is no picture yet that could be old
    assert stage.evaluate(MARK)[0] == "none"
    page.evaluate("go()")
    expect(page.locator(".panel")).to_have_count(2)
    said, visible = stage.evaluate(f"(root) => {{ {held.format(2)} return ({MARK})(root); }}")
    assert "Previous picture" in said
    assert visible == "hidden"  # what comes at once is not announced
    page.wait_for_function(f"() => ({MARK})(document.querySelector('.nca-stage'))[1] === 'visible'")
    assert page.locator(".panel").count() == 2
    page.evaluate("go()")
    expect(page.locator(".panel")).to_have_count(4)
    assert stage.evaluate(MARK)[0] == "none"


@pytest.mark.parametrize(("status", "spoken"), [(0, True), (503, False)])
def test_a_scene_that_cannot_be_fetched_is_asked_for_again(host, status, spoken):
    """No network is said, and that too many scenes are on their way, 503, is soon over."""
    page = host(TWO, known=None)
    page.evaluate(f"statuses[1] = {status}")
    page.evaluate("mounted({ scene: 1, known: {} })")
    assert page.evaluate("sockets.length") == 0
    assert bool(said(page)) is spoken
    page.evaluate("statuses[1] = 200")
    page.wait_for_function("sockets.length === 1")
    assert page.evaluate(SHOWN) == ["NCA", "NCA-2"]


def test_the_page_hears_when_any_run_has_settled_and_only_then(host):
    page = host(TWO, known="{ nca: [1, 'running'], 'nca-2': [2, 'running'] }")
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'waiting' }, 'nca-2': { run: 2, state: 'running' } })")
    assert page.evaluate("told") == []
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running' }, 'nca-2': ended(2) })")
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running' }, 'nca-2': ended(2) })")
    assert page.evaluate("told") == [["settled", "nca-2:2:ended"]]
    page.evaluate("mounted({ scene: 1, known: { nca: [1, 'running'], 'nca-2': [2, 'ended'] } })")
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'paused' }, 'nca-2': ended(2) })")
    assert page.evaluate("told.length") == 2
    page.evaluate("sockets[0].runs({ nca: ended(1), 'nca-2': { run: 7, state: 'running' } })")
    page.evaluate("sockets[0].runs({ nca: ended(1), 'nca-2': ended(7) })")
    assert page.evaluate("told.slice(2)") == [["settled", "nca:1:ended"]]  # run 7 it does not know of yet
    page.evaluate("mounted({ scene: 1, known: { nca: [1, 'ended'], 'nca-2': [7, 'running'] } })")
    assert page.evaluate("told.slice(3)") == [["settled", "nca-2:7:ended"]]


def test_a_page_that_knows_the_end_is_told_nothing_while_its_picture_catches_up(host):
    page = host(SCENE, known="{ nca: [1, 'ended'] }")
    page.evaluate(f"(text) => {{ sockets[0].frames(text); {ENDED}; }}", message(*SCALED[:3], panel=1))
    page.wait_for_function("() => document.querySelector('.readout .status').textContent === 'Converged.'")
    page.evaluate("pause(400)")
    assert page.evaluate("told") == []


def test_once_a_link_is_pressed_a_report_waits_and_goes_with_the_page(host):
    page = host(TWO, known="{ nca: [1, 'running'], 'nca-2': [2, 'running'] }")
    page.evaluate("document.body.append(Object.assign(document.createElement('a'), { href: '/data', id: 'link' }))")
    page.evaluate("link.onclick = () => false, link.click()")
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running' }, 'nca-2': ended(2) })")
    page.evaluate("pause(500)")
    assert page.evaluate("told") == []
    page.wait_for_function("told.length === 1")  # the page is still here
    page.evaluate("dispatchEvent(new PopStateEvent('popstate')), document.body.dataset.testScriptState = 'running'")
    page.evaluate("sockets[0].runs({ nca: ended(1), 'nca-2': ended(2) })")
    page.evaluate("pause(2700)")  # a machine so slow that the page that is left still runs
    assert page.evaluate("told.length") == 1
    page.evaluate("delete document.body.dataset.testScriptState, unmount()")
    page.evaluate("pause(500)")
    assert page.evaluate("told.length") == 1


def test_a_report_is_not_held_back_by_a_run_of_a_page_that_stays(host):
    page = host(TWO, known="{ nca: [1, 'running'], 'nca-2': [2, 'running'] }")
    page.evaluate("document.body.dataset.testScriptState = 'running'")
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running' }, 'nca-2': ended(2) })")
    page.evaluate("pause(500)")
    assert page.evaluate("told.length") == 1


def test_a_message_and_a_scene_that_do_not_fit_are_refused_and_said(host):
    page = host(TWO)
    page.evaluate("(text) => sockets[0].onmessage({ data: bytes(text).slice(0, -8) })", frames(0, 1))
    page.evaluate("pause(50)")
    assert page.evaluate("[sockets[0].closed, sockets[0].sent]") == [True, []]
    assert "cannot read" in said(page)
    page.evaluate("(text) => { window.fetch = async () => answered(text); }", text_of(encode_scene(TWO)[:-16]))
    page.evaluate("unmount(), mounted({ scene: 1, known: {} })")
    assert "cannot read" in said(page)
    assert page.evaluate("sockets.length") == 1


def test_a_panel_that_does_not_train_has_the_accuracies_that_the_page_gives_unless_they_are_hidden(host):
    page, pca = host(THREE), THREE.panels[0].key
    data = f"scene: 1, known: {{}}, solved: {{ {pca}: [0.5, 0.75] }}"
    page.evaluate(f"mounted({{ {data} }})")
    foot = page.locator(".panel .foot")
    expect(foot.first).to_have_text("1-NN: held out 50 %   training (optimistic) 75 %")
    expect(foot.last).to_have_text("")
    page.evaluate(f"mounted({{ {data}, without: ['accuracy'] }})")
    expect(foot.first).to_have_text("")
    page.evaluate(f"mounted({{ scene: 1, known: {{}}, solved: {{ {pca}: [null, 0.75] }} }})")
    expect(foot.first).to_have_text("1-NN: training (optimistic) 75 %")


def test_space_plays_and_arrows_step_wherever_the_focus_is_but_not_while_typing(host):
    page = host(SCENE)
    page.evaluate("sockets[0].runs({ nca: ended(1) })")
    page.evaluate(
        "(text) => sockets[0].frames(text)", message(*(snapshot(k, np.eye(2) * (1 + k)) for k in range(60)), panel=1)
    )
    page.get_by_label("Speed of the replay").select_option(index=0)  # else the replay may be over before one looks
    play, slider = page.get_by_label("Replay or hold (space)"), page.get_by_label("Iteration shown")
    expect(play).to_be_enabled()
    slider.fill("0")
    page.evaluate("() => { document.body.append(document.createElement('textarea')); document.activeElement.blur(); }")
    for shown in ("❚❚", "▶"):
        page.keyboard.press("Space")
        page.evaluate("pause(400)")  # until the place that was scrubbed to before has been reported
        expect(play).to_have_text(shown)
    slider.fill("2")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_js_property("valueAsNumber", 1)
    page.locator("textarea").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_js_property("valueAsNumber", 1)
    assert page.locator("textarea").input_value() == " "
    expect(play).to_have_text("▶")
    page.evaluate("unmount()")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true }))"
    assert page.evaluate(press)  # no longer taken from the page


def test_a_step_of_a_lesson_begins_without_what_was_set_in_the_one_before(host):
    """The slider of A, a held scale, and the picture of before."""
    page = host(SCENE, replace(SCENE), known=None)
    page.evaluate("mounted({ scene: 1, known: {}, plain: 'scale' })")
    page.locator("input[aria-label='Scale of A']").evaluate("(e) => { e.value = 1; e.oninput(); }")
    expect(page.locator(".hero .start")).to_have_text("A × 2.00")
    page.evaluate("mounted({ scene: 1, known: {}, plain: true })")
    expect(page.locator(".hero .start")).to_have_text("")
    held = page.get_by_role("button", name="same scale")
    held.click()
    page.evaluate("sockets[0].runs({ nca: { run: 1, state: 'running' } })")
    page.evaluate("(text) => sockets[0].frames(text)", frames(0, 1, 2, panel=1))
    page.evaluate("pause(300)")
    expect(held).to_have_attribute("aria-pressed", "true")
    page.evaluate("sockets[0].runs({})")
    page.evaluate("mounted({ scene: 2, known: {}, plain: true })")
    page.evaluate("sockets[1].runs({})")
    page.evaluate("pause(100)")
    expect(held).to_have_attribute("aria-pressed", "false")
