// The live socket of one scene: snapshots and states in, acknowledgements out; it connects again by itself, saying what
// it holds already. The server ends it when the scene is replaced.
import { decodeSnapshots } from "./wire.js";

const FINAL = { 4404: "gone", 4403: "refused" };
const KEPT = "kept"; // the server was started again, and what it kept comes back when the page is run
const BLOCKED = 4; // lines in a row that never came about: somebody in between does not let them through

export class Feed {
  constructor(address, { scene, held, onSnapshots, onRuns, onLink }) {
    Object.assign(this, { address, scene, held, onSnapshots, onRuns, onLink });
    this.delay = 250;
    this.failed = 0;
    this.open();
  }

  open() {
    const socket = new WebSocket(`${this.address}?scene=${this.scene}&after=${encodeURIComponent(this.held())}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.failed = -1; // it has been open once
      this.onLink("open");
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.delay = 250; // it is served, and not only let in
      try {
        if (typeof data === "string") this.onRuns(JSON.parse(data).runs);
        else this.onSnapshots(decodeSnapshots(data));
      } catch (error) {
        console.error(error);
        this.close();
        this.onLink("unreadable");
        return;
      }
      if (typeof data !== "string" && socket.readyState === WebSocket.OPEN) socket.send("ack");
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      if (FINAL[code]) this.onLink(reason === KEPT ? KEPT : FINAL[code]);
      else if (reason !== "replaced") {
        if (this.failed >= 0) this.failed += 1;
        this.onLink(this.failed >= BLOCKED ? "blocked" : "lost");
        this.timer = setTimeout(() => this.open(), this.delay);
        this.delay = Math.min(5000, this.delay * 2);
      }
    };
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
