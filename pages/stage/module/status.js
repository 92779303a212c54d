// What the runs do and where the panels stand, in plain words and numbers.
export function describe(run = {}) {
  return withNotes(describeState(run), [run]);
}

// What is to be said of where they are trained follows, each sentence once.
function withNotes(said, runs) {
  const notes = [...new Set(runs.map((run) => run?.note).filter(Boolean))];
  if (!notes.length) return said;
  return [said && !said.endsWith(".") ? `${said}.` : said, ...notes].filter(Boolean).join(" ");
}

function describeState({ state, queue, reason }) {
  if (state === "running") return "training";
  if (state === "waiting") return queue ? `waiting: number ${queue} in the queue` : "waiting";
  if (state === "paused") return "paused";
  if (state === "ended") return reason;
  return "";
}

export function describeLink(link) {
  if (link === "gone") return "This run is no longer on the server. Reload the page.";
  if (link === "kept") return "The server was started again: what it kept is coming back …";
  if (link === "refused") {
    return `The server does not know this page's address as its own: set server.corsAllowedOrigins to ["${location.origin}"].`;
  }
  if (link === "blocked") return "No live connection comes about: a proxy in between has to let WebSockets through. Trying again …";
  if (link === "lost") return "Connection lost, connecting again …";
  if (link === "unreadable") return "The server sent what this page cannot read. Reload the page.";
  return "";
}

// Of several panels: "2 of 3 training, 1 ended". `keys` are those of the live panels, `runs` the states by key.
export function describeAll(keys, runs) {
  if (keys.length < 2) return describe(runs[keys[0]]);
  const words = { running: "training", waiting: "waiting", paused: "paused", ended: "ended" };
  const parts = [];
  for (const [state, word] of Object.entries(words)) {
    const those = keys.filter((key) => runs[key]?.state === state);
    if (!those.length) continue;
    const queue = Math.min(...those.map((key) => runs[key].queue || Infinity));
    const place = state === "waiting" && queue < Infinity ? ` (number ${queue} in the queue)` : "";
    parts.push(`${those.length}${parts.length ? "" : ` of ${keys.length}`} ${word}${place}`);
  }
  return withNotes(parts.join(", "), keys.map((key) => runs[key]));
}

export function seconds(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

// What the scrubber says: "iteration 12 of 40".
export function place(player, live) {
  const looking = live.length === 1 ? player.looking(live[0].key) : null;
  if (looking) return `short run ${looking.number} of ${looking.length}`;
  if (player.clock === "seconds") return `${seconds(player.position)} of ${seconds(player.last)} of computing`;
  const at = live.length === 1 ? player.current(live[0].key)?.iteration : Math.round(player.position);
  return `iteration ${at ?? 0} of ${player.lastBy("iteration")}`;
}

// Where the stage stands. With one live panel its numbers too; each of several has them at its foot.
export function readout(player, live, without) {
  if (live.length > 1) {
    if (![...player.histories.values()].some((history) => history.length)) return "";
    if (player.clock === "seconds") return `${seconds(player.position)} of computing`;
    return `iteration ${Math.round(player.position)}`;
  }
  const looking = live.length ? player.looking(live[0].key) : null;
  if (looking) return `short run ${looking.number} of ${looking.length}`;
  const at = live.length ? player.current(live[0].key) : null;
  if (!at) return "";
  const numbers = [["f", "f/n", at.mean_p, 3], ["k", "K̂", at.k_mean_entropy, 1]];
  const shown = numbers.filter(([key, , value]) => !Number.isNaN(value) && !without.has(key));
  return [`iteration ${at.iteration}`, ...shown.map(([, name, v, digits]) => `${name} ${v.toFixed(digits)}`)].join("   ");
}

// What a page may ask to leave out: f/n, K̂, accuracies, a point's p_i and its own K, the best iteration on held-out rows.
export const NUMBERS = ["f", "k", "accuracy", "p", "own_k", "best"];

// The numbers at a panel's foot: [name, value, digits]. One live panel has the others in the readout.
export function footNumbers(at, several, without) {
  const accuracies = Number.isNaN(at.held_out_1nn)
    ? [["1-NN: training rows (optimistic)", at.accuracy_1nn]]
    : [["1-NN: held-out rows", at.held_out_1nn], ["training rows (optimistic)", at.accuracy_1nn]];
  const of = (key, ...numbers) => (without.has(key) ? [] : numbers);
  const others = several ? [...of("f", ["f/n", at.mean_p]), ...of("k", ["K̂", at.k_mean_entropy, 1])] : [];
  return [...others, ...of("accuracy", ...accuracies)];
}

export function thinnedNote(titles, mostBytes) {
  if (!titles.length) return "";
  const most = Math.round(mostBytes / 1e6);
  return `The histories have reached ${most} MB: of the older iterations only some are kept (${titles.join(", ")}).`;
}
