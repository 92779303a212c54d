// An element with its class and its text; users' words never are anything but text.
export function element(name, className, text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
