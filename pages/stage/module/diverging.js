// Colours for signed numbers: the page's own in the middle for 0, orange above, blue below; told apart with every common
// colour blindness, and light or dark as the page is.
const ENDS = { light: [[179, 64, 15], [0, 92, 150]], dark: [[255, 154, 107], [107, 188, 240]] };

// `share` in −1 .. 1 -> [red, green, blue].
export function diverging(share, { dark, background }) {
  const [above, below] = ENDS[dark ? "dark" : "light"];
  const end = share < 0 ? below : above;
  const t = Math.min(1, Math.abs(share));
  return background.map((value, k) => Math.round(value + t * (end[k] - value)));
}

// Values as a picture of (rows, columns), the largest in size at the end of the scale, 0 in its middle.
export function paintSigned(canvas, values, [rows, columns], theme, limit = largest(values)) {
  Object.assign(canvas, { width: columns, height: rows });
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(columns, rows);
  for (let k = 0; k < values.length; k++) {
    image.data.set([...diverging(values[k] / (limit || 1), theme), 255], 4 * k);
  }
  pen.putImageData(image, 0, 0);
}

export function largest(values) {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}
