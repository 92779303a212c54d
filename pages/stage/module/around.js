// What stands around a point in a panel: the circle of its neighbourhood and its most probable neighbours. Counted anew only
// where the places have changed; while very many points move, only now and then, and exactly once they rest.
import { neighbourhood, squaresFrom } from "./neighbourhood.js";
import { mostProbable } from "./probable.js";

export const MOST_NEAR = 30;
const MANY = 20_000; // points
const OFTEN = 120; // milliseconds

export class Around {
  constructor(stage) {
    this.stage = stage;
    this.kept = new WeakMap(); // by panel
  }

  // -> { circle, near }, as `neighbourhood` and `mostProbable` have them; null where nothing is drawn, the point has no place,
  // its class is hidden, or the panel knows no p_ij. `moving`: another picture follows soon.
  of(panel, i, moving = false) {
    const { scene, hidden } = this.stage;
    if (!panel.drawn || !panel.scale || panel.content.kind !== "matrix" || hidden.has(panel.labels[i])) return null;
    const { Y, labels, content } = panel;
    const before = this.kept.get(panel), now = performance.now();
    if (before?.scene === scene && before.content === content && before.i === i) {
      if (moving && scene.samples > MANY && now - before.at < OFTEN) return before.found;
      if (same(before.Y, Y)) {
        before.at = now; // a turn moves nothing: very many places are not looked through in each of its pictures
        return before.found;
      }
    }
    const { components, heldOut } = scene;
    const squares = squaresFrom(Y, components, i, labels, heldOut);
    const asked = { Y, components, i, labels, heldOut, unit: content.unit, squares };
    const circle = neighbourhood(asked);
    const found = circle && { circle, near: mostProbable({ ...asked, most: MOST_NEAR }) };
    let copy = before?.Y;
    if (copy?.length === Y.length) copy.set(Y);
    else copy = Y.slice();
    this.kept.set(panel, { scene, content, i, Y: copy, at: now, found });
    return found;
  }
}

function same(a, b) {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k] && (a[k] === a[k] || b[k] === b[k])) return false;
  return true;
}
