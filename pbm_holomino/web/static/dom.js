// Small helpers for making elements.

export const SVG = "http://www.w3.org/2000/svg";
export const $ = (selector, root = document) => root.querySelector(selector);

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const make = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const draw = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export function button(text, act, kind = "") {
  const made = make("button", { type: "button", class: kind }, text);
  made.addEventListener("click", act);
  return made;
}

// Whether a key that is pressed there is meant for something else.
export const isTyped = (event) =>
  event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea");
