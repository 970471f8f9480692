// Small helpers for what is said, for making elements, and for pointers and keys.

export const SVG = "http://www.w3.org/2000/svg";
export const FAR = 5; // pixels that a pointer may move during a click
export const $ = (selector, root = document) => root.querySelector(selector);

// What is said: English as it stands, or what the file of the page's language has for it,
// a text, or forms, and for each number the digit of its form
const { lang } = document.documentElement;
const catalogue = lang === "en" ? {} : await fetch(new URL(`${lang}.json`, import.meta.url))
  .then((answer) => answer.json()).catch(() => ({}));

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, place) => values[place]);

export const sayForm = (said, values) => {
  if (typeof said === "string") return filled(said, values);
  const [forms, which] = said;
  return filled(forms[which[Math.min(Math.abs(values.n), which.length - 1)]], values);
};

export const say = (text, values = {}) => sayForm(catalogue[text] ?? text, values);

export const sayNumber = (one, more, values) =>
  sayForm(catalogue[one] ?? [[one, more], "101"], values);

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

// Shows the page at this path as it is now; a form that was refused is not sent again.
export function renew(path) {
  if (location.pathname + location.search === path) location.reload();
  else location.assign(path);
}

// What is under a path if a form is sent there with these words in it
export function ask(path, form, words = {}) {
  const { method } = form, fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(words)) fields.set(name, value);
  return method === "get" ? fetch(`${path}?${fields}`) : fetch(path, { method, body: fields });
}

// Whether a key that is pressed there is meant for something else.
export const isTyped = (event) =>
  event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea");

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The arrow keys move the focus to the nearest child of an element in their direction.
export function arrows(parent) {
  parent.addEventListener("keydown", (event) => {
    const way = WAYS[event.key], here = event.target.closest("button, [role=button]");
    if (!way || !here || event.defaultPrevented || isTyped(event)) return;
    const [x, y] = middle(here);
    let nearest = null, least = Infinity;
    for (const one of parent.children) {
      const [right, down] = middle(one).map((at, no) => at - [x, y][no]);
      const along = right * way[0] + down * way[1];
      const aside = Math.abs(right * way[1]) + Math.abs(down * way[0]);
      if (along < 1 || along + 2 * aside >= least) continue;
      nearest = one;
      least = along + 2 * aside;
    }
    event.preventDefault(); // the page does not scroll
    nearest?.focus();
  });
}
