// The playground: settings, a worker that trains, and the stage that shows it. The address carries the settings.
import { procrustes } from "./aligning.js";
import { showBoard, unpacked } from "./board.js";
import { prepared, problemOf, SETS } from "./data_sets.js";
import { button, element, select, setText } from "./dom.js";
import { multiply } from "./matrix.js";
import { project } from "./projection.js";
import { defaults, fromHash, MOST_DRAWN, PACES, RANGES, STARTS, toHash } from "./settings.js";
import { Stage } from "./stage.js";

const PANELS = { pca: "PCA", lda: "LDA", nca: "NCA" };
const WAIT = 150; // milliseconds after the last change of a setting
const page = Object.fromEntries(["controls", "actions", "message", "table", "board", "theme"].map((id) => [id, document.getElementById(id)]));
const tables = tablesFrom(JSON.parse(document.getElementById("tables").textContent));
const stage = new Stage(document.querySelector(".nca-stage"));
const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));
const held = { id: 0, run: 0, state: "", rows: null, opened: null };
let settings = defaults(), waiting = 0;

// Rows of numbers; those of digits are written as one letter each, base 36.
function tablesFrom({ digits, ...others }) {
  const values = digits.values.map((row) => Array.from(row, (letter) => parseInt(letter, 36)));
  return { ...others, digits: { ...digits, values } };
}

function open() {
  const unusable = settings.data === "drawing" && problemOf(SETS.drawing.rows(settings));
  page.board.hidden = settings.data !== "drawing";
  stage.root.hidden = page.table.hidden = Boolean(unusable);
  setText(page.message, unusable || "");
  for (const each of Object.values(actions)) each.disabled = Boolean(unusable);
  if (unusable) return;
  held.id += 1;
  held.rows = prepared(settings, tables);
  const { X, labels, heldOut, features } = held.rows;
  const { dimensions: components, start, seed } = settings;
  stage.root.classList.add("old");
  worker.postMessage({ kind: "open", id: held.id, pace: pace(), problem: { X, labels, heldOut, features, components, start, seed } });
}

const pace = () => PACES[settings.pace][1];

worker.onmessage = ({ data }) => {
  if (data.id !== held.id) return; // of other settings
  if (data.kind === "opened") opened(data);
  if (data.kind === "restarted") restart(data.first);
  if (data.kind === "snapshots") add(data.snapshots);
  if (data.kind === "state") showState(data.state, data.reason);
};

worker.onerror = () => setText(page.message, "The training failed. Change a setting or reload the page.");

function opened(answer) {
  held.opened = answer;
  stage.root.classList.remove("old");
  stage.showScene(sceneOf(held.rows, answer));
  stage.clearRuns();
  restart(answer.first);
}

function sceneOf({ X, labels, heldOut, classes, samples, features, image, names, hover, hoverNames }, { frames, first }) {
  const components = settings.dimensions;
  const turned = turnedOnto(frames.pca, frames.lda, X, samples, features, components);
  const panels = { pca: frames.pca, lda: turned, nca: first.frame };
  return {
    samples, components, classes, hover, hover_names: hoverNames, image_shape: image, note: "", ordered: false, labels, heldOut,
    features: [{ columns: features, unit: 1, names, X: Float32Array.from(X) }],
    rows: Int32Array.from({ length: samples }, (_, i) => i + 1),
    panels: Object.entries(panels).map(([key, frame]) => ({
      key, title: PANELS[key], note: noteOf(key, classes), live: key === "nca", kind: "matrix", features: 0, objective: "",
      problem: "", unit: 1, labels: null, frame: Float32Array.from(frame),
    })),
  };
}

function noteOf(key, classes) {
  const missing = settings.dimensions - (classes.length - 1);
  return key === "lda" && missing > 0 ? "Two classes give LDA one axis; the rest comes from PCA." : "";
}

// A turned by the rotation that brings its picture nearest to that of `reference`.
function turnedOnto(reference, A, X, samples, features, components) {
  const places = (frame) => project(X, samples, features, frame, components, Float64Array);
  const { R } = procrustes(places(A), places(reference), components);
  return multiply(R.filter((_, k) => k % 3 < components), A, components, components, features);
}

function restart(first) {
  held.run += 1;
  showState("", "");
  add([first]);
}

function add(snapshots) {
  stage.addSnapshots({ panel: Object.keys(PANELS).indexOf("nca"), run: held.run, shortRun: 0, snapshots });
}

function showState(state = held.state, reason = stage.runs.nca?.reason ?? "") {
  held.state = state;
  stage.setRuns({ nca: { run: held.run, state, reason, starts: [], min_interval: pace() } });
}

// The states as far as they are seen.
stage.rested = showTable;
stage.settled = ({ nca }) => {
  const state = nca?.state ?? "";
  actions.train.disabled = state === "running";
  actions.pause.disabled = held.state !== "running";
  actions.reset.disabled = !state;
  setText(actions.train, state === "ended" ? "Train again" : state === "paused" ? "Continue" : "Train");
  showTable();
};

function showTable() {
  const at = stage.player.current("nca");
  if (!at) return;
  const { scores } = held.opened, { accuracy_1nn, held_out_1nn, mean_p, k_mean_entropy } = at;
  const percent = (share) => (Number.isNaN(share) ? "–" : `${Math.round(100 * share)} %`);
  const rows = Object.entries({ ...scores, nca: { accuracy_1nn, held_out_1nn } }).map(([key, found]) => [
    PANELS[key], percent(found.held_out_1nn), percent(found.accuracy_1nn),
    key === "nca" ? mean_p.toFixed(2) : "–", key === "nca" ? k_mean_entropy.toFixed(1) : "–",
  ]);
  const count = held.rows.heldOut.reduce((sum, out) => sum + out, 0);
  const head = ["", `1-NN, held-out rows (${count})`, "1-NN, training rows (optimistic)", "f/n", "K̂"];
  const line = (cells, kind) => element("tr", "", ...cells.map((text, k) => element(k ? kind : "th", "", text)));
  page.table.replaceChildren(line(head, "th"), ...rows.map((cells) => line(cells, "td")));
}

const actions = {
  train: button("Train", "Train (key T)", () => act("go")),
  pause: button("Pause", "Pause (key P)", () => act("pause")),
  step: button("Step", "One iteration (key S)", () => act("step")),
  reset: button("Reset", "Back to the start (key X)", () => act("reset")),
};

function act(kind) {
  stage.player.toNewest();
  worker.postMessage({ kind, id: held.id });
}

const KEYS = { t: "train", p: "pause", s: "step", x: "reset" };
document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const writing = target.matches?.("select, input:not([type=range]), [role=application]");
  const action = KEYS[key.toLowerCase()];
  if (action && !writing && !ctrlKey && !metaKey && !altKey && !actions[action].disabled) actions[action].click();
});

const fields = {};

function buildControls() {
  page.controls.onsubmit = (event) => event.preventDefault();
  page.actions.append(...Object.values(actions));
  const titles = (choices) => Object.entries(choices).map(([key, value]) => [key, value.title ?? value]);
  field("data", "Data", select("Data", titles(SETS), (data) => {
    const { points, noise, columns } = defaults(data);
    change({ ...settings, data, points, noise, columns });
  }));
  for (const name of ["points", "noise", "columns", "heldOut"]) range(name);
  field("start", "Start", select("Start of NCA", titles(STARTS), (start) => change({ ...settings, start })));
  for (const name of ["dimensions", "seed"]) range(name);
  const paces = Object.entries(PACES).map(([key, [title]]) => [key, title]);
  field("pace", "Speed", select("Speed of the training", paces, (chosen) => {
    settings = { ...settings, pace: chosen };
    worker.postMessage({ kind: "pace", id: held.id, pace: pace() });
    showState();
    history.replaceState(null, "", toHash(settings));
  }));
  page.controls.append(
    button("Copy link", "Copy the address of these settings", copyLink),
    button("Reset settings", "Back to the defaults of this data", () => change({ ...defaults(settings.data), drawing: settings.drawing })),
  );
}

function field(name, title, input) {
  const value = element("output"), label = element("label", "", element("span", "", title), input, value);
  page.controls.append(label);
  fields[name] = { label, input, value };
}

function range(name) {
  const { title, value, ...limits } = RANGES[name];
  const input = element("input", { type: name === "seed" ? "number" : "range", ...limits });
  input.oninput = () => {
    const number = Math.min(limits.max, Math.max(limits.min, Number(input.value)));
    if (input.value !== "") change({ ...settings, [name]: name === "seed" ? Math.round(number) : number });
  };
  field(name, title, input);
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    setText(page.message, "Link copied.");
  } catch {
    setText(page.message, "The browser does not allow copying; the address of this page is the link.");
  }
}

function change(next) {
  settings = next;
  history.replaceState(null, "", toHash(settings));
  showSettings();
  clearTimeout(waiting);
  waiting = setTimeout(open, WAIT);
}

function showSettings() {
  for (const [name, { input, value }] of Object.entries(fields)) {
    if (document.activeElement !== input || input.type !== "number") input.value = settings[name];
    setText(value, name === "heldOut" ? `${Math.round(100 * settings.heldOut)} %` : input.type === "range" ? String(settings[name]) : "");
  }
  fields.points.label.hidden = !SETS[settings.data].generated;
}

function openAddress() {
  const [found, unread] = fromHash(location.hash);
  settings = found;
  showSettings();
  drawBoard();
  open();
  if (unread) setText(page.message, unread);
}

function drawBoard() {
  showBoard({
    parentElement: page.board,
    data: { points: settings.drawing.flat(), limit: MOST_DRAWN },
    setStateValue: (_, points) => change({ ...settings, drawing: unpacked(points) }),
  });
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  setText(page.theme, name === "dark" ? "Light" : "Dark");
  drawBoard();
}

page.theme.onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
buildControls();
window.addEventListener("hashchange", openAddress);
openAddress();
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
window.ncaPlayground = { stage, held };
