// Mounts the stage in Streamlit's component: the same element keeps its stage through every rerun.
import { element } from "./dom.js";
import { savePicture } from "./picture.js";
import { Stage } from "./stage.js";
import { decodeScene, decodeSnapshots } from "./wire.js";

const RETRY = 1000; // milliseconds until a scene that could not be fetched is requested again
const LATEST = 15_000; // milliseconds that the end of a training may wait for the others
const SETTLED = ["ended", "paused", "running"];
const stages = new WeakMap();

// A report sent after a link was pressed would bring the old page back, so reports wait until that page has gone. The
// run of the new page may have to wait for one of the old page, which Streamlit shows as running all the while.
const LEAVING = 2000; // milliseconds
const RUNNING = "[data-test-script-state=running]";
let left = -Infinity;
const leave = () => { left = performance.now(); };
addEventListener("popstate", leave);
addEventListener("click", ({ target }) => target.closest?.("a[href]") && leave(), true);

export function mount(root, component) {
  const { data } = component;
  let held = stages.get(root);
  if (!held) {
    const href = `${data.base}/module/${data.version}/stage.css`;
    const shown = () => { root.style.visibility = ""; };
    root.style.visibility = "hidden"; // what shows without the style would move when it comes
    root.before(element("link", { rel: "stylesheet", href, onload: shown, onerror: shown }));
    const stage = new Stage(root, { compares: data.compares, ownPage: true });
    for (const [key, [run, state]] of Object.entries(data.known)) if (state === "ended") stage.over[key] = run;
    // Requests made before the stage was opened are done already.
    const done = { select: data.select?.[0], picture: data.picture?.[0] };
    held = { stage, reporter: new ViewReporter(stage), scene: 0, done, stayed: -Infinity };
    stage.rested = () => held.reporter.schedule();
    stages.set(root, held);
  }
  const { stage, reporter } = held;
  const unlessGone = (send) => {
    const wait = left + LEAVING - performance.now();
    const leaving = wait > 0 || (left > held.stayed && document.querySelector(RUNNING));
    if (leaving) return void setTimeout(() => stages.has(root) && unlessGone(send), Math.max(wait, RETRY / 4));
    held.stayed = left;
    send();
  };
  const report = (name, value) => unlessGone(() => component.setStateValue(name, { scene: data.scene, ...value }));
  const tell = (text) => unlessGone(() => component.setTriggerValue("settled", text));
  held.known = { ...data.known };
  Object.assign(reporter, { report: (view) => report("view", view), brief: !data.plain });
  stage.report = (indices, total) => report("selection", { indices, total });
  stage.reportPoint = (index) => report("point", { wish: data.point[0], index });
  stage.reportGrab = (panel, frame) => component.setTriggerValue("grabbed", { scene: data.scene, panel, frame });
  stage.ask = (panel, what, iteration) => component.setTriggerValue("action", { panel, what, iteration });
  stage.showQuestion(data.question);
  const begins = !stage.scene || (data.turn === "each" && held.scene !== data.scene);
  stage.turn ||= Boolean(data.turn) && begins && !Object.keys(data.known).length;
  const numbers = JSON.stringify([data.without, data.solved]);
  if (held.numbers !== numbers) { // hidden until the page allows them, or measured by it
    Object.assign(stage, { without: new Set(data.without), solved: data.solved });
    held.numbers = numbers;
    stage.redraw();
  }
  if (held.plain !== data.plain) stage.manual.reset(); // another step, which may have no slider to undo it with
  held.plain = data.plain;
  root.classList.toggle("plain", Boolean(data.plain));
  root.classList.toggle("scales", data.plain === "scale");
  held.restore = () => { // the new server can restore this workspace once the page has run, which may need retries
    if (!stages.has(root) || held.token !== data.token) return;
    tell("kept");
    setTimeout(held.restore, RETRY);
  };
  held.showProblem = (problem) => { // saving work has failed, or works again: the page says so
    if (problem !== (held.problem ?? problem)) tell("saving");
    held.problem = problem;
  };
  stage.settled = (runs, overdue = false) => {
    const news = unknown(held.known, runs, stage.reported);
    clearTimeout(held.later);
    // While others move, an end waits: the page that runs for it would delay their frames.
    if (!overdue && stage.moving && Object.values(runs).some(({ state }) => state === "running")) {
      held.later = setTimeout(() => stage.settled(stage.runs, true), LATEST);
      if (!news.some(([, { state }]) => state !== "ended")) return;
    }
    for (const [key, { run, state }] of news) held.known[key] = [run, state];
    if (news.length) tell(news.map(([key, { run, state }]) => `${key}:${run}:${state}`).join(","));
  };
  if (held.token !== data.token) stage.clearRuns(); // another workspace counts its runs from 1 again
  if (held.token !== data.token || held.scene !== data.scene) showScene(root, held, data);
  else {
    carryOut(held, data);
    // A run may have settled before the page listed it.
    setTimeout(() => stages.has(root) && stage.settled(stage.runs));
  }
}

export function unmount(root) {
  const held = stages.get(root);
  if (!held) return;
  stages.delete(root);
  held.scene = null;
  held.feed?.close();
  clearTimeout(held.reporter.waiting);
  held.stage.end();
}

// Do what the page requests, once for each number: select rows, save a picture, pin a point (again in another scene).
function carryOut(held, { select, picture, point, scene }) {
  const { stage, done } = held;
  if (held.shown !== scene) return; // it is still loading
  const once = (name, number, act) => {
    if (number === undefined || number === done[name]) return;
    done[name] = number;
    act();
  };
  once("select", select?.[0], () => stage.select(select[1]));
  once("picture", picture?.[0], () => savePicture(stage, picture[1], picture[2]).catch(console.error));
  once("point", `${scene} ${point[0]}`, () => {
    stage.hover(null, -1); // a finger that tapped a point never leaves it
    stage.spotlight.pin(point[1], true);
  });
}

// Runs that the page lists and that have settled in a state which it does not know yet; `reported` are their states on
// the server, which a picture that is still to catch up has not reached.
function unknown(known, runs, reported) {
  return Object.entries(runs).filter(([key, { run, state }]) => {
    const [number, before] = known[key] ?? [];
    if (run !== number || [state, reported[key]?.state].includes(before)) return false;
    return SETTLED.includes(state) && !(state === "running" && before === "waiting");
  });
}

async function showScene(root, held, data) {
  const { base, token, scene } = data;
  Object.assign(held, { token, scene });
  const { stage } = held;
  const wanted = () => held.token === token && held.scene === scene;
  const again = () => void setTimeout(() => wanted() && showScene(root, held, data), RETRY);
  root.classList.toggle("old", Boolean(stage.scene)); // the previous picture is marked until the new scene is here
  held.fetching?.abort(); // an unfinished request would occupy one of the page's few on the server
  const { signal } = (held.fetching = new AbortController());
  let payload = null;
  try {
    const answer = await fetch(`${base}/${token}/scene/${scene}`, { signal });
    if (!wanted() || answer.status === 409) return; // replaced by another scene
    if (answer.status === 503) return again(); // too many requests of this page
    if (answer.ok) payload = await answer.arrayBuffer();
  } catch {
    if (wanted()) stage.setLink("lost");
    return again();
  }
  if (!wanted()) return;
  // The socket of the previous scene stays open until now, so that its snapshots are not requested again.
  held.feed?.close();
  held.feed = null;
  root.classList.remove("old");
  if (!payload) return stage.setLink("gone");
  if (data.plain) stage.sameScale = false; // it was said of another step's picture
  try {
    stage.showScene(decodeScene(payload));
  } catch (error) {
    console.error(error);
    return stage.setLink("unreadable");
  }
  held.shown = scene;
  held.feed = new Feed(stage, held, data);
  carryOut(held, { ...data, select: undefined, picture: undefined });
  held.reporter.reported = ""; // the view of another scene is reported even if it is the same
}

// Reports changes of the view once the picture rests: the iteration shown, the hidden classes, whether the scale is
// held, and of each panel that is held the number of its run and of the snapshot shown.
const REST = 250; // milliseconds without another picture
const NOTHING_HELD = JSON.stringify({ held: {} });

export class ViewReporter {
  // `brief`: report only which panels are held.
  constructor(stage, report) {
    Object.assign(this, { stage, report, brief: false, reported: "", waiting: 0 });
  }

  schedule() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.send(), REST);
  }

  send() {
    const { player, hidden, sameScale, runs, scene } = this.stage;
    const follows = player.mode === "follow";
    const moves = player.mode === "replay" || (follows && Object.values(runs).some(({ state }) => state === "running"));
    if (!scene || moves) return;
    const iteration = player.clock === "number" ? Math.round(player.position) : null;
    if (!follows && iteration !== null && iteration !== player.position) return void this.stage.player.seek(iteration);
    // Of each panel [number of the run, number of its snapshot] while the player is held; empty while it follows.
    const shown = [...player.histories].map(([key, { run }]) => [key, run, player.current(key)]);
    const held = shown.filter(([, , at]) => at && !follows).map(([key, run, at]) => [key, [run, at.number]]);
    const view = { held: Object.fromEntries(held) };
    if (!this.brief) Object.assign(view, { iteration, hidden: [...hidden].sort((a, b) => a - b), same: sameScale });
    const text = JSON.stringify(view);
    if (text === this.reported || (!this.reported && text === NOTHING_HELD)) return;
    this.reported = text;
    this.report(view);
  }
}

// The live socket of one scene: receives snapshots and states, sends acknowledgements. It reconnects by itself and says
// which snapshots it has. The server closes it when the scene is replaced.

const GONE = 4404;
const KEPT = "kept"; // the server has restarted; a run of the page restores the workspace
const LOST = ["lost", "blocked"];
const SILENT = 25_000; // milliseconds without a word, of which the server has one every ten seconds: the line is dead
const BLOCKED = 4; // failed connections in a row, none ever open: a proxy blocks WebSockets

class Feed {
  constructor(stage, page, { base, token, scene }) {
    const address = new URL(`${base}/${token}/live`, document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    Object.assign(this, { stage, page, address: `${address.href}?scene=${scene}`, delay: 250, failed: 0 });
    this.open();
  }

  open() {
    const socket = new WebSocket(`${this.address}&after=${encodeURIComponent(this.stage.player.held())}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.listen(socket);
    socket.onopen = () => {
      this.failed = -1; // it has been open once
      this.tell("open");
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.delay = 250; // the server sends data, not only accepts
      this.listen(socket);
      try {
        if (typeof data === "string") {
          const { runs, problem = "" } = JSON.parse(data);
          this.stage.setRuns(runs);
          this.page.showProblem(problem);
        } else this.stage.addSnapshots(decodeSnapshots(data));
      } catch (error) {
        console.error(error);
        this.close();
        this.tell("unreadable");
        return;
      }
      if (typeof data !== "string" && socket.readyState === WebSocket.OPEN) socket.send("ack");
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      clearTimeout(this.silence);
      if (code === GONE) this.tell(reason === KEPT ? KEPT : "gone");
      else if (reason !== "replaced") this.retry();
    };
  }

  // Without a connection a press on the page's buttons that train would be lost.
  tell(link) {
    const lost = LOST.includes(link);
    this.stage.setLink(link);
    for (const place of document.querySelectorAll(".st-key-explore-transport")) {
      place.inert = lost;
      place.style.opacity = lost ? 0.45 : "";
    }
    if (link === KEPT) this.page.restore();
  }

  listen(socket) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.socket = null; // its late end is not another one
      socket.close();
      this.retry();
    }, SILENT);
  }

  retry() {
    if (this.failed >= 0) this.failed += 1;
    this.tell(this.failed >= BLOCKED ? "blocked" : "lost");
    this.timer = setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(5000, this.delay * 2);
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
