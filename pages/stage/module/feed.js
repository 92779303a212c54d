// The live socket: snapshots and states in, acknowledgements out; it connects again by itself.
import { decodeSnapshots } from "./wire.js";

const GONE = 4404;

export class Feed {
  constructor(address, { onSnapshots, onState, onLink, received }) {
    Object.assign(this, { address, onSnapshots, onState, onLink, received });
    this.delay = 250;
    this.open();
  }

  open() {
    const socket = new WebSocket(`${this.address}?after=${this.received()}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.onLink("open");
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      if (typeof data === "string") this.onState(JSON.parse(data));
      else {
        this.onSnapshots(decodeSnapshots(data));
        if (socket.readyState === WebSocket.OPEN) socket.send("ack");
      }
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      if (code === GONE) this.onLink("gone");
      else if (reason !== "replaced") {
        this.onLink("lost");
        this.timer = setTimeout(() => this.open(), this.delay);
        this.delay = Math.min(5000, this.delay * 2);
      }
    };
  }

  close() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket.close();
  }
}
