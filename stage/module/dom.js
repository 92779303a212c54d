// Small helpers for elements. Users' words are only ever text.
const SVG = "http://www.w3.org/2000/svg";

// `properties`: those of the element, or its class alone; `children`: elements and texts.
export function element(name, properties = "", ...children) {
  const created = document.createElement(name);
  Object.assign(created, typeof properties === "string" ? { className: properties } : properties);
  created.append(...children);
  return created;
}

// `title`: its tooltip, and its name for screen readers; without one the text is the name.
export function button(text, title, onclick, className = "") {
  return element("button", { type: "button", title, onclick, className, ariaLabel: title || null }, text);
}

// `options`: [value, text] of each; `onchange` is called with the value.
export function select(ariaLabel, options, onchange, className = "") {
  const created = element("select", { ariaLabel, className, onchange: () => onchange(created.value) });
  setOptions(created, options);
  return created;
}

export function setOptions(list, options) {
  list.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

// `range`: min, max, step and value; `oninput` is called with the number.
export function slider(ariaLabel, range, oninput, className = "") {
  const created = element("input", { type: "range", ariaLabel, className, ...range });
  created.oninput = () => oninput(Number(created.value));
  return created;
}

export function svgElement(name, attributes = {}, ...children) {
  const created = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

// A drawing over the points of a panel.
export class Layer {
  constructor(panel, className) {
    this.panel = panel;
    this.svg = svgElement("svg", { "aria-hidden": true });
    this.root = element("div", `layer ${className}`, this.svg);
  }

  show() {
    if (!this.root.parentNode) this.panel.frame.insertBefore(this.root, this.panel.overlay);
  }

  hide() {
    this.root.remove();
  }
}

// Writing the same text again would lay the page out anew.
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

// [right, down] of an arrow key; undefined for other keys.
export const ARROW_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Call `act` with [right, down] of an arrow key, which does nothing else then.
export function onArrows(target, act) {
  target.onkeydown = (event) => {
    const by = ARROW_KEYS[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    act(by);
  };
}
