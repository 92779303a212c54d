// Playing, stepping and scrubbing through the history, and where one stands in it.
import { bestText } from "./best.js";
import { element } from "./panel.js";
import { place, readout } from "./status.js";

export class Toolbar {
  constructor(stage) {
    this.stage = stage;
    const { player } = stage;
    this.root = element("div", "toolbar");
    this.play = button("▶", "Replay or hold (space)", () => stage.togglePlay());
    const back = button("−1", "One iteration back", () => stage.step(-1));
    const forth = button("+1", "One iteration on", () => stage.step(1));
    this.steps = [back, forth];
    this.slider = element("input", "scrub");
    Object.assign(this.slider, { type: "range", min: 0, max: 1, step: "any", value: 0 });
    this.slider.setAttribute("aria-label", "Iteration shown");
    this.slider.oninput = () => stage.seek(Number(this.slider.value));
    this.slider.onkeydown = (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      stage.step(by);
    };
    this.mark = element("div", "best-mark"); // where on the slider the best held-out accuracy is
    this.mark.hidden = true;
    this.track = element("div", "track");
    this.track.append(this.slider, this.mark);
    this.best = button("", "", () => stage.seek(stage.best.snapshot[player.clock]));
    this.best.hidden = true;
    this.newest = button("newest", "Follow the training", () => stage.follow());
    const speed = element("select", "");
    speed.setAttribute("aria-label", "Speed of the replay");
    for (const value of [0.25, 0.5, 1, 2, 4]) speed.append(new Option(`${value}×`, value, value === 1, value === 1));
    speed.onchange = () => (player.speed = Number(speed.value));
    this.clock = element("select", "clock");
    this.clock.setAttribute("aria-label", "What the panels keep step by");
    this.clock.append(new Option("by iteration", "number"), new Option("by seconds", "seconds"));
    this.clock.title = "Panels side by side at the same iteration, or after the same seconds of computing";
    this.clock.onchange = () => stage.useClock(this.clock.value);
    const select = (way) => () => stage.toggleSelecting(way);
    this.lasso = toggle("lasso", "Select points by drawing around them; Escape clears", false, select("lasso"));
    this.box = toggle("box", "Select points by a rectangle; Escape clears", false, select("box"));
    this.linked = toggle("linked", "Turn and zoom all panels together", true, () => stage.toggleLinked());
    const hold = "Same scale: the view is held, so that one sees how the training lets the points fly apart";
    this.same = toggle("same scale", hold, false, () => stage.toggleSameScale());
    this.clear = button("", "Clear the selection (Escape)", () => stage.letGo());
    const reset = button("reset view", "Zoom and rotation as at first", () => stage.resetView());
    for (const each of [speed, this.clock, this.lasso, this.box, this.linked]) each.classList.add("tool");
    // Where there is no room for both in a line, each group has its own.
    const moves = element("div", "moves"), tools = element("div", "tools");
    moves.append(this.play, back, forth, this.track, this.best, this.newest, speed, this.clock);
    tools.append(this.lasso, this.box, this.clear, this.linked, this.same, reset);
    this.root.append(moves, tools);
    this.readout = element("div", "readout");
    this.status = element("span", "status");
    this.status.setAttribute("role", "status");
    this.status.textContent = "The picture is on its way …"; // until there is a scene
    this.numbers = element("span", "numbers");
    this.readout.append(this.status, this.numbers);
  }

  show() {
    const { player, live } = this.stage;
    const last = player.last;
    const started = [...player.histories.values()].some(({ shortRuns }) => shortRuns.length);
    const idle = !(player.lastBy("number") > 0) && !started; // there is nothing to play yet
    if (this.slider.disabled !== idle) for (const each of [this.slider, this.play, ...this.steps]) each.disabled = idle;
    if (this.slider.max !== String(last || 1)) this.slider.max = last || 1;
    this.slider.value = player.position;
    const icon = player.mode === "replay" ? "❚❚" : "▶";
    if (this.play.textContent !== icon) this.play.textContent = icon;
    this.newest.hidden = player.mode === "follow";
    this.clock.hidden = live.length < 2;
    if (this.clock.value !== player.clock) this.clock.value = player.clock;
    const where = place(player, live);
    if (this.slider.getAttribute("aria-valuetext") !== where) this.slider.setAttribute("aria-valuetext", where);
    this.showSelected(this.stage.selected.size);
    this.showBest(last);
    const text = readout(player, live, this.stage.without);
    if (this.numbers.textContent !== text) this.numbers.textContent = text;
    this.showStatus();
  }

  showSelected(points) {
    this.clear.hidden = !points;
    const text = `clear ${points.toLocaleString("en")} selected`;
    if (points && this.clear.textContent !== text) this.clear.textContent = text;
  }

  showBest(last) {
    const { player, live, without } = this.stage;
    const best = without.has("best") ? null : this.stage.best;
    this.best.hidden = this.mark.hidden = !best;
    if (!best) return;
    const text = bestText(best, live.length > 1);
    if (this.best.textContent !== text) {
      this.best.textContent = text;
      this.best.title = "Go to the first iteration with the best 1-NN accuracy on held-out rows";
    }
    const left = `calc(8px + (100% - 16px) * ${best.snapshot[player.clock] / (last || 1)})`; // as the thumb stands
    if (this.mark.style.left !== left) this.mark.style.left = left;
  }

  showStatus() {
    const { statusText } = this.stage;
    if (this.status.textContent !== statusText) this.status.textContent = statusText;
  }
}

function toggle(text, title, pressed, act) {
  const made = button(text, title, act);
  made.setAttribute("aria-pressed", String(pressed));
  return made;
}

function button(text, title, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.title = title;
  if (title) made.setAttribute("aria-label", title);
  made.onclick = act;
  return made;
}
