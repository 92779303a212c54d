// The stage in Streamlit's component: the same element keeps its stage through every rerun.
import { Feed } from "./feed.js";
import { element } from "./panel.js";
import { Stage } from "./stage.js";
import { decodeScene } from "./wire.js";

const stages = new WeakMap();

export function mount(root, component) {
  const { data } = component;
  let held = stages.get(root);
  if (!held) {
    addStyle(root, data);
    held = { stage: new Stage(root), scene: 0, run: -1 };
    stages.set(root, held);
  }
  const { stage } = held;
  held.known = data.known;
  stage.report = (indices, total) => component.setStateValue("selection", { scene: data.scene, indices, total });
  stage.settled = (state) => {
    const news = state.state !== held.known && ["ended", "paused", "running"].includes(state.state);
    held.known = state.state;
    if (news && state.run === data.run) component.setTriggerValue("settled", `${state.run}:${state.state}`);
  };
  if (held.token !== data.token || held.scene !== data.scene) showScene(held, data);
  if (held.token !== data.token || held.run !== data.run) showRun(held, data);
  held.token = data.token;
}

export function unmount(root) {
  stages.get(root)?.stage.end();
  stages.delete(root);
}

function addStyle(root, { base, version }) {
  const link = element("link", "");
  Object.assign(link, { rel: "stylesheet", href: `${base}/module/${version}/stage.css` });
  root.parentNode.insertBefore(link, root);
}

async function showScene(held, { base, token, scene }) {
  held.scene = scene;
  const answer = await fetch(`${base}/${token}/scene/${scene}`);
  if (held.scene !== scene) return;
  if (answer.ok) held.stage.showScene(decodeScene(await answer.arrayBuffer()));
  else held.stage.setLink("gone");
}

function showRun(held, { base, token, run }) {
  held.run = run;
  const { stage } = held;
  stage.feed?.close();
  stage.newRun();
  const address = new URL(`${base}/${token}/live`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  stage.feed = new Feed(address.href, {
    received: () => stage.player.snapshots.length,
    onSnapshots: (snapshots) => stage.addSnapshots(snapshots),
    onState: (state) => stage.setState(state),
    onLink: (link) => stage.setLink(link),
  });
}
