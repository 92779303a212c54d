// What a feature is called: its name where the stage knows it, its place in the picture where rows are pictures, else its
// number.
import { visibleName } from "./names.js";

export function featureName(f, { names = [], columns }, imageShape) {
  if (isPicture(columns, imageShape)) return `pixel (${Math.floor(f / imageShape[1]) + 1}, ${(f % imageShape[1]) + 1})`;
  return names.length ? visibleName(names[f]) : `feature ${f + 1}`;
}

// Whether the features are the pixels of the rows, one each.
export function isPicture(columns, imageShape) {
  return Boolean(imageShape) && imageShape[0] * imageShape[1] === columns;
}
