// The stage as a notebook widget (anywidget). Python sends one scene, then snapshots and states; all stay with the
// model, so that a second view of the same widget shows the whole run.
import { Stage } from "./stage.js";
import { decodeScene, decodeSnapshots } from "./wire.js";

const messages = new WeakMap(); // model -> what it has received

export const widget = {
  initialize({ model }) {
    messages.set(model, []);
    model.on("msg:custom", (...message) => messages.get(model).push(message));
  },

  render({ model, el }) {
    const root = document.createElement("div");
    root.className = "nca-stage nca-notebook";
    el.append(root);
    const stage = new Stage(root, {
      report(points) {
        model.set("selected", points.map((i) => stage.scene.rows[i]));
        model.save_changes();
      },
    });
    const show = (content, buffers) => {
      if (content.kind === "scene") {
        stage.setLink("open");
        stage.showScene(decodeScene(aligned(buffers[0])));
      } else if (content.kind === "snapshots") stage.addSnapshots(decodeSnapshots(aligned(buffers[0])));
      else if (content.kind === "runs") stage.setRuns(content.runs);
    };
    const received = messages.get(model) ?? [];
    if (!received.length) stage.setLink("unsaved");
    for (const message of received) show(...message);
    model.on("msg:custom", show);
    return () => {
      model.off("msg:custom", show);
      stage.end();
    };
  },
};

// A copy at the start of a buffer of its own, as views of numbers need it.
function aligned(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice().buffer;
}
