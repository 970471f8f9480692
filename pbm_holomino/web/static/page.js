// What the pages do more easily with a script; all of it also goes without.

import { $, ask, button, isTyped, make, renew, say } from "./dom.js";
import { isBusy, news } from "./news.js";
import { View, positions } from "./view.js";
import { waiting } from "./waiting.js";

async function moving(here, figure, isAhead = false) {
  const { Mover } = await import("./mover.js");
  return new Mover(here, figure, isAhead);
}

async function trying(form, figure) {
  const { Trying } = await import("./trying.js");
  return new Trying(form, figure);
}

async function move(form, figure) {
  const isTrying = "tries" in form.dataset, here = form.action.replace(/\/preview$/, "");
  if (form.dataset.phase !== "play") { // nothing is put on the board: no mover need come
    const [{ compose }, answer] = await Promise.all([import("./walongs.js"), ask(`${here}/moves`, form)]);
    return compose(form, answer.ok ? await answer.json() : null);
  }
  const mover = isTrying ? await trying(form, figure) : await moving(here, figure);
  if (!(await mover.load())) return $(".hand")?.remove();
  mover.begin();
  const typed = make("details", {}, make("summary", {}, say("Choose from a list")));
  form.replaceWith(typed);
  typed.append(form);
}

function moveAhead(details, figure) {
  const here = $("form", details).action.replace(/\/queue$/, "");
  const start = button(say("Lay them out on the board"), async () => {
    start.remove();
    const mover = await moving(here, figure, true);
    if (!(await mover.load())) return;
    mover.begin();
    mover.tiles.firstChild.focus();
  });
  $("summary", details).after(start);
}

// What a robot has been asked for makes no news: only one player may know of it
const AWAITED = "data-awaited", SOON = 3, LATER = 60; // seconds

function lookAgain({ pathname, search }, seconds = SOON) {
  setTimeout(async () => {
    if (document.hidden || isBusy()) return lookAgain({ pathname, search });
    const path = pathname + search;
    const asked = fetch(path).then((answer) => (answer.ok ? answer.text() : AWAITED));
    const found = await asked.catch(() => AWAITED);
    if (found.includes(AWAITED)) lookAgain({ pathname, search }, Math.min(2 * seconds, LATER));
    else renew(path);
  }, 1000 * seconds);
}

const nav = $("nav.moves"), form = $("#move"), ahead = $("#ahead");
const figures = [...document.querySelectorAll("figure.board")];
figures.forEach((figure, no) => new View(figure, `${$("main").dataset.shown ?? ""}-${no}`));
if (nav) positions(nav);
if (form) move(form, figures.at(-1));
else if (ahead) moveAhead(ahead, figures.at(-1));
for (const kind of ["click", "focusin"]) {
  document.addEventListener(kind, ({ target }) => {
    for (const menu of document.querySelectorAll(".menu[open]")) {
      if (!menu.contains(target)) menu.open = false;
    }
  });
}
const back = $("#preview .side > p:last-child a");
if (back) back.hash = new URLSearchParams(location.search).get("move");
$("#preview form button")?.focus({ preventScroll: true });
// A key that is held down does not also press what it has brought
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && !isTyped(event)) event.preventDefault();
}, true);
// A link that is there to be copied is marked whole
document.addEventListener("focusin", ({ target }) => target.readOnly && target.select());
// The zone of this clock, for those who have chosen none
for (const field of document.querySelectorAll("[data-zone]")) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
const awaited = $(`[${AWAITED}] a`);
if (awaited) lookAgain(awaited);
const waits = $("[data-waits]");
if (waits) waiting(waits);
// The worker comes with signing in, and leaves nothing behind when somebody signs out
if (waits) navigator.serviceWorker?.register(new URL("../../worker.js", import.meta.url)).catch(() => {});
const push = $("[data-push]");
if (push) import("./push.js").then(({ telling }) => telling(push));
const drops = $("[data-drops]");
if (drops) import("./dropping.js").then(({ dropping }) => dropping(drops));
if ($("main").dataset.news) news($("main"), $("[data-live]"));

// How the pages look: each choice is kept in this browser, for look.js
for (const one of document.querySelectorAll(".look input")) {
  const { dataset } = document.documentElement, { name, value } = one;
  one.checked = value === (dataset[name] ?? "");
  one.addEventListener("change", () => {
    dataset[name] = value;
    try { localStorage.setItem(`pbm-${name}`, value); } catch { /* until the next page */ }
  });
}
