// A of the picture that a panel shows, row by row: between two snapshots blended as the picture is, in somebody's hand as that has it.
// Null for coordinates.
import { blend } from "./projection.js";

export function frameOf({ content, hand, history, stage }) {
  if (content.kind !== "matrix" || content.problem) return null;
  if (hand) return hand;
  const around = history?.around(stage.player.clock);
  if (!around || around.from.frame.length !== content.frame.length) return content.frame;
  return blend(around.from.frame, around.to.frame, around.t, new Float32Array(content.frame.length));
}
