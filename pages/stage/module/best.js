// The iteration at which a training predicted held-out rows best.

// The first of the snapshots with the greatest held-out accuracy; null where none is measured.
export function bestOf(history) {
  let best = null;
  for (const snapshot of history.snapshots) {
    if (snapshot.held_out_1nn > (best?.held_out_1nn ?? -Infinity)) best = snapshot;
  }
  return best;
}

// Of all live panels: { panel, snapshot }, or null.
export function bestHeldOut({ live, player, scene }) {
  if (!scene?.heldOut.includes(1)) return null;
  let best = null;
  for (const panel of live) {
    const snapshot = bestOf(player.histories.get(panel.key));
    if (snapshot && !(best?.snapshot.held_out_1nn >= snapshot.held_out_1nn)) best = { panel, snapshot };
  }
  return best;
}

export function bestText({ panel, snapshot }, several) {
  return `best held-out: ${several ? `${panel.content.title}, ` : ""}iteration ${snapshot.iteration}`;
}
