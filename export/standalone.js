// The stage in a page of its own: scene and histories are in the page, and nothing is fetched.
import { savePicture } from "./picture.js";
import { Stage } from "./stage.js";
import { decodeScene, decodeSnapshots } from "./wire.js";

const root = document.querySelector(".nca-stage");

// The parts that were packed together, each a buffer: [how many, their lengths ..., the parts, each padded to 8 bytes].
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const count = new Float64Array(buffer, 0, 1)[0];
  const lengths = new Float64Array(buffer, 8, count);
  let at = 8 * (1 + count);
  return Array.from(lengths, (length) => {
    const part = buffer.slice(at, at + length);
    at += 8 * Math.ceil(length / 8);
    return part;
  });
}

async function play() {
  const about = JSON.parse(document.querySelector("#about").textContent);
  const [scene, ...messages] = await unpacked(document.querySelector("#data").textContent);
  const stage = new Stage(root, { ownPage: true });
  stage.showScene(decodeScene(scene));
  // Panels can be turned onto one another, as on the page of comparisons.
  stage.toolbar.readout.insertBefore(stage.aligning.root, stage.toolbar.numbers);
  stage.setRuns(about.runs);
  for (const message of messages) stage.addSnapshots(decodeSnapshots(message));
  stage.toolbar.newest.textContent = "last";
  stage.toolbar.newest.title = "To the last iteration";
  stage.player.seek(Math.max(0, about.held)); // −1: no iteration was held, so all are played
  if (about.held < 0 && messages.length && !stage.player.reducedMotion.matches) stage.player.toggle();
  for (const button of document.querySelectorAll("[data-form]")) {
    button.onclick = () => savePicture(stage, button.dataset.form, document.title);
  }
  window.ncaStage = stage; // for the console
}

const theme = document.querySelector("#theme");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  theme.textContent = name === "dark" ? "Light" : "Dark";
}
theme.onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
setTheme(dark.matches ? "dark" : "light");
play().catch((error) => {
  console.error(error);
  root.textContent = "This browser cannot unpack the page; one of 2023 or later can.";
});
