// Small helpers for elements. Users' words are only ever text.
const SVG = "http://www.w3.org/2000/svg";

export function element(name, className = "", text = "") {
  const created = document.createElement(name);
  if (className) created.className = className;
  if (text) created.textContent = text;
  return created;
}

// `title`: its tooltip, and its name for screen readers; without one the text is the name.
export function button(text, title, onclick, className = "") {
  const created = Object.assign(element("button", className, text), { type: "button", title, onclick });
  if (title) created.setAttribute("aria-label", title);
  return created;
}

// `options`: [value, text] of each; `onchange` is called with the value.
export function select(label, options, onchange, className = "") {
  const created = element("select", className);
  created.setAttribute("aria-label", label);
  created.onchange = () => onchange(created.value);
  setOptions(created, options);
  return created;
}

export function setOptions(list, options) {
  list.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

// `range`: min, max, step and value; `oninput` is called with the number.
export function slider(label, range, oninput, className = "") {
  const created = Object.assign(element("input", className), { type: "range", ...range });
  created.setAttribute("aria-label", label);
  created.oninput = () => oninput(Number(created.value));
  return created;
}

// -> { root, svg }: a drawing over the points of a panel.
export function layer(className) {
  const root = element("div", `layer ${className}`), svg = svgElement("svg", { "aria-hidden": true });
  root.append(svg);
  return { root, svg };
}

export function svgElement(name, attributes = {}, text = "") {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  if (text) created.textContent = text;
  return created;
}

// Writing the same text again would lay the page out anew.
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
