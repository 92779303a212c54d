// How names and numbers are written.

const TAIL = 9; // letters that are never cut off

// -> beginning and end of a name: only the beginning is shortened, so that long names with one beginning stay apart.
export function inTwo(name) {
  const letters = [...name];
  return letters.length <= 2 * TAIL ? [name, ""] : [letters.slice(0, -TAIL).join(""), letters.slice(-TAIL).join("")];
}

// What a feature is called: its name if the scene has it, its place in the picture where rows are pictures, else
// its number.
export function featureName(f, { names = [], columns }, imageShape) {
  if (isPicture(columns, imageShape)) return `pixel (${Math.floor(f / imageShape[1]) + 1}, ${(f % imageShape[1]) + 1})`;
  return names.length ? names[f] : `feature ${f + 1}`;
}

// Whether the features are the pixels of the rows, one each.
export function isPicture(columns, imageShape) {
  return Boolean(imageShape) && imageShape[0] * imageShape[1] === columns;
}

// A number in three or four signs.
export function shortNumber(value) {
  return value && (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-2) ? value.toExponential(1) : value.toFixed(2);
}

// The least of 1, 2, 5, 10, 20 ... (and 0.5, 0.2 ...) that is not below it.
export function roundAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((m) => m * power >= value) * power;
}

// A number of neighbours, in digits that mean something.
export function countOf(k) {
  return k < 100 ? k.toFixed(1) : Math.round(k).toLocaleString("en");
}

// As in "1 point" and "1,200 points".
export function counted(number, one, more = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : more}`;
}

// No line ends between the number and its sign.
export function percent(share) {
  return share < 0.01 && share > 0 ? "under 1\u00a0%" : `${Math.round(100 * share)}\u00a0%`;
}

const AND = new Intl.ListFormat("en-GB"); // takes milliseconds

// As in "a, b and c".
export function listed(words) {
  return AND.format(words);
}
