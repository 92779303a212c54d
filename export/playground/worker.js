// Trains beside the page: "open" prepares a training, "go", "pause", "step" and "reset" drive it, "pace" sets the least
// seconds between two iterations.
import { Training } from "./training.js";

const STRETCH = 25; // milliseconds of work between two messages at full speed
let training = null, id = 0, running = false, pace = 0, waiting = 0;

self.onmessage = ({ data }) => {
  if (data.pace !== undefined) pace = data.pace;
  if (data.kind === "open") {
    stop();
    id = data.id;
    training = new Training(data.problem);
    self.postMessage({ kind: "opened", id, ...training.opened() });
  } else if (training && data.id === id) actions[data.kind]?.();
};

const actions = {
  go() {
    if (training.ended) restart();
    if (running) return;
    running = true;
    postState("running");
    go();
  },
  pause() {
    stop();
    if (!training.ended) postState("paused");
  },
  step() {
    if (training.ended) restart();
    stop();
    iterate();
    if (!training.ended) postState("paused");
  },
  reset() {
    stop();
    restart();
    postState("");
  },
};

function restart() {
  training.reset();
  self.postMessage({ kind: "restarted", id, first: training.latest });
}

function stop() {
  running = false;
  clearTimeout(waiting);
}

function go() {
  const began = performance.now();
  do iterate();
  while (running && !pace && performance.now() - began < STRETCH);
  if (running) waiting = setTimeout(go, Math.max(0, 1000 * pace - (performance.now() - began)));
}

function iterate() {
  const snapshot = training.step();
  if (snapshot) self.postMessage({ kind: "snapshots", id, snapshots: [snapshot] });
  else {
    running = false;
    postState("ended", training.ended);
  }
}

function postState(state, reason = "") {
  self.postMessage({ kind: "state", id, state, reason });
}
