"""A page that mounts the stage as Streamlit does, with sockets and answers of its own, for the tests of the feed."""

# A page with the loader's part played by `mounted(data)`: sockets and fetches are recorded, scenes stand in `payloads`.
# Answers come without a task of the browser's own, so that all of them are there before the next timer; those in `late`
# wait for a promise. What has to be looked at before a timer goes off is looked at in the same call.
HOST = """
async (payloads) => {
  const { mount, unmount } = await import("./mount.js");
  const { decodeSnapshots } = await import("./wire.js");
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  window.bytes = bytes;
  window.pause = (ms = 150) => new Promise((next) => setTimeout(next, ms));
  Object.assign(window, { asked: [], signals: [], sockets: [], told: [], statuses: {}, late: {} });
  window.fetch = async (address, { signal }) => {
    asked.push(address);
    signals.push(signal);
    const version = address.split("/").pop();
    await late[version];
    const status = statuses[version] ?? 200;
    if (status === 0) throw new TypeError("no network");
    return answered(payloads[version] ?? payloads[1], status);
  };
  window.answered = (text, status = 200) => ({ status, ok: status === 200, arrayBuffer: async () => bytes(text) });
  window.WebSocket = class {
    static OPEN = 1;
    constructor(address) {
      const url = new URL(address);
      const { searchParams: query } = url;
      Object.assign(this, { url, scene: query.get("scene"), after: query.get("after"), readyState: 1, sent: [] });
      sockets.push(this);
    }
    send(text) { this.sent.push(text); }
    close() { this.closed = true; }
    runs(runs) { this.onmessage({ data: JSON.stringify({ scene: Number(this.scene), runs }) }); }
    frames(text) { this.onmessage({ data: bytes(text) }); }
  };
  const root = document.querySelector(".nca-stage");
  const shared = { base: "/nca", version: "v", token: "t", point: [0, -1], question: "" };
  window.mounted = async (data) => {
    mount(root, {
      data: { ...shared, ...data }, setStateValue() {}, setTriggerValue: (...said) => told.push(said),
    });
    await pause();
  };
  window.unmount = () => unmount(root);
  window.ended = (number) => ({ run: number, state: "ended", reason: "Converged." });
}
"""
