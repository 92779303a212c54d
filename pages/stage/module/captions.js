// What stands beside and under the panels: states, numbers, a summary in words, the ink of each one's line in the charts.
import { dashOf } from "./chart_lines.js";
import { describe, footNumbers, thinnedNote } from "./status.js";
import { summaryOf } from "./summary.js";

const SUMMARY = 1000; // milliseconds between two of them while the panels move

export function showNumbers(stage, time, moving) {
  const { live, player, without } = stage;
  const several = live.length > 1;
  const summed = !moving || !(time - stage.summedAt < SUMMARY);
  if (summed) stage.summedAt = time;
  for (const panel of stage.panels) {
    const looking = player.looking(panel.key);
    panel.showStart(looking?.describe(stage.runs[panel.key]?.starts) ?? "");
    const at = panel.content.live && !looking ? player.current(panel.key) : null;
    panel.showState(several && live.includes(panel) ? describe(stage.runs[panel.key]) : "");
    panel.showMetrics(at ? footNumbers(at, several, without) : []);
    if (summed && panel.drawn && panel.raster.width) panel.showSummary(summaryOf(panel, stage, at));
  }
  const sparse = live.filter((panel) => player.histories.get(panel.key).thinned);
  stage.thinned.textContent = thinnedNote(sparse.map((panel) => panel.content.title), player.mostBytes);
}

// Each of several live panels bears the colour and the dash of its line in the charts.
export function showInks({ live, panels, theme }) {
  for (const panel of panels) {
    const ink = live.length > 1 ? live.indexOf(panel) : -1;
    panel.heading.className = ink < 0 ? "" : `ink dash${dashOf(ink)}`;
    panel.heading.style.setProperty("--ink", theme.lines[ink] ?? "");
  }
}
