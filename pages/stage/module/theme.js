// Colours and font of the page around, read anew so that a change of theme shows at once.
import { lineColours, rgb } from "./palette.js";

export function readTheme(root) {
  const style = getComputedStyle(root);
  const paper = hex(style.getPropertyValue("--st-background-color")) ?? "#ffffff";
  const ink = hex(style.getPropertyValue("--st-text-color")) ?? "#1d2733";
  const type = Number.parseFloat(style.getPropertyValue("--nca-type")) || 1; // how large letters are
  const background = rgb(paper);
  const dark = background[0] * 0.3 + background[1] * 0.59 + background[2] * 0.11 < 128;
  return {
    name: `${paper}${ink}${type}`,
    type,
    dark,
    background,
    ink: rgb(ink),
    font: style.fontFamily || "sans-serif",
    quiet: dark ? "#98a4b0" : "#66717d",
    line: dark ? "#2a333d" : "#e6eaee",
    lines: lineColours(dark),
  };
}

// What the style sheet cannot know: how large letters are, and the inks of lines to one's own class and to others.
export function dress(root, { type, lines }) {
  root.classList.toggle("large", type > 1);
  root.style.setProperty("--same", lines[0]);
  root.style.setProperty("--other", lines[1]);
}

function hex(colour) {
  const text = colour.trim();
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  if (/^#[0-9a-f]{3}$/i.test(text)) return `#${[...text.slice(1)].map((c) => c + c).join("")}`;
  const parts = text.match(/^rgba?\((\d+),\s*(\d+),\s*(\d+)/);
  return parts ? `#${parts.slice(1, 4).map((v) => Number(v).toString(16).padStart(2, "0")).join("")}` : null;
}
