// The stage in Streamlit's component: the same element keeps its stage through every rerun.
import { Feed } from "./feed.js";
import { element } from "./panel.js";
import { savePicture } from "./picture.js";
import { Seen } from "./seen.js";
import { Stage } from "./stage.js";
import { decodeScene } from "./wire.js";

const AGAIN = 1000; // milliseconds after which a scene that could not be fetched is asked for again
const SETTLED = ["ended", "paused", "running"];
const stages = new WeakMap();

export function mount(root, component) {
  const { data } = component;
  let held = stages.get(root);
  if (!held) {
    addStyle(root, data);
    held = { stage: new Stage(root, { compares: data.compares }), scene: 0, asked: data.select?.[0], pictures: data.picture?.[0] };
    stages.set(root, held);
  }
  const { stage } = held;
  held.known = { ...data.known };
  stage.report = (indices, total) => component.setStateValue("selection", { scene: data.scene, indices, total });
  stage.ask = (panel, what, iteration) => component.setTriggerValue("asked", { panel, what, iteration });
  stage.reportPoint = (index) => component.setStateValue("point", { scene: data.scene, wish: data.point[0], index });
  stage.reportGrab = (panel, frame) => component.setTriggerValue("grabbed", { scene: data.scene, panel, frame });
  stage.question.ask(data.question);
  leaveOut(stage, data.without ?? []);
  pictureOnce(held, data.picture);
  held.tellSeen = (seen) => component.setStateValue("seen", { scene: data.scene, ...seen });
  root.classList.toggle("watched", Boolean(data.watch));
  if (data.watch) held.seen ??= new Seen(stage, (seen) => held.tellSeen(seen));
  stage.rested = () => held.seen?.look();
  held.comeBack = () => { // the page is run; its own line to the server may not be there yet
    if (!stages.has(root) || held.token !== data.token) return;
    component.setTriggerValue("settled", "kept");
    setTimeout(held.comeBack, AGAIN);
  };
  stage.settled = (runs) => {
    const news = unknown(held.known, runs);
    for (const [key, { run, state }] of news) held.known[key] = [run, state];
    const said = news.map(([key, { run, state }]) => `${key}:${run}:${state}`);
    if (said.length) component.setTriggerValue("settled", said.join(","));
  };
  if (held.token !== data.token) stage.forgetRuns(); // another workspace counts its runs from 1 again
  if (held.token !== data.token || held.scene !== data.scene) showScene(root, held, data);
  else {
    selectOnce(held, data.select);
    pinOnce(held, data);
    // A run may have settled before the page said that it knows of it.
    setTimeout(() => stages.has(root) && stage.settled(stage.runs));
  }
}

export function unmount(root) {
  const held = stages.get(root);
  if (!held) return;
  stages.delete(root);
  held.scene = null;
  held.feed?.close();
  held.seen?.end();
  held.stage.end();
}

// What the page asks to have selected; each of its wishes has a number, and is granted once.
function selectOnce(held, select) {
  if (!select || select[0] === held.asked || !held.stage.scene) return;
  held.asked = select[0];
  held.stage.select(select[1]);
}

// Numbers that the page does not want to be seen yet.
function leaveOut(stage, names) {
  if (names.join() === [...stage.without].join()) return;
  stage.without = new Set(names);
  stage.redraw();
}

// The same of a picture that is to be saved.
function pictureOnce(held, picture) {
  if (!picture || picture[0] === held.pictures || !held.stage.scene) return;
  held.pictures = picture[0];
  savePicture(held.stage, picture[1], picture[2]).catch(console.error);
}

// The same of the point that it asks to have pinned; in another scene the point is pinned again.
function pinOnce(held, { point, scene }) {
  const wish = `${scene} ${point[0]}`;
  if (wish === held.pinAsked || !held.stage.scene) return;
  held.pinAsked = wish;
  held.stage.hover(null, -1); // a finger that tapped a point never leaves it
  held.stage.spotlight.pin(point[1], true);
}

// The runs that have settled in a state which the page does not know yet; of other runs than its own it will hear anyway.
function unknown(known, runs) {
  return Object.entries(runs).filter(([key, { run, state }]) => {
    const [number, before] = known[key] ?? [];
    return run === number && state !== before && SETTLED.includes(state);
  });
}

function addStyle(root, { base, version }) {
  const link = element("link", "");
  Object.assign(link, { rel: "stylesheet", href: `${base}/module/${version}/stage.css` });
  root.parentNode.insertBefore(link, root);
}

async function showScene(root, held, data) {
  const { base, token, scene } = data;
  Object.assign(held, { token, scene });
  const { stage } = held;
  const wanted = () => held.token === token && held.scene === scene;
  const again = () => void setTimeout(() => wanted() && showScene(root, held, data), AGAIN);
  root.classList.toggle("old", Boolean(stage.scene)); // what is seen until the new scene is here is called so
  held.asking?.abort(); // the scene before would keep its place on the server
  const { signal } = (held.asking = new AbortController());
  let payload = null;
  try {
    const answer = await fetch(`${base}/${token}/scene/${scene}`, { signal });
    if (!wanted() || answer.status === 409) return; // another one follows
    if (answer.status === 503) return again(); // others of this page are on their way
    if (answer.ok) payload = await answer.arrayBuffer();
  } catch {
    if (wanted()) stage.setLink("lost");
    again();
    return;
  }
  if (!wanted()) return;
  // The socket of the scene before goes on until now; what it brought is not asked for again.
  held.feed?.close();
  held.feed = null;
  root.classList.remove("old");
  if (payload === null) stage.setLink("gone");
  else if (shown(stage, payload)) {
    held.feed = openFeed(stage, data, () => held.comeBack());
    pinOnce(held, data);
    held.seen?.forget();
  }
}

function shown(stage, payload) {
  try {
    stage.showScene(decodeScene(payload));
    return true;
  } catch (error) {
    console.error(error);
    stage.setLink("unreadable");
    return false;
  }
}

function openFeed(stage, { base, token, scene }, comeBack) {
  const address = new URL(`${base}/${token}/live`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return new Feed(address.href, {
    scene,
    held: () => stage.player.held(),
    onSnapshots: (message) => stage.addSnapshots(message),
    onRuns: (runs) => stage.setRuns(runs),
    onLink: (link) => {
      stage.setLink(link);
      if (link === "kept") comeBack();
    },
  });
}
