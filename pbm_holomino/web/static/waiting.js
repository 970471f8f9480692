// The boards that wait for whoever reads a page: how many there are, in the header and
// the title, and the next one.

import { $, make, say, sayNumber } from "./dom.js";

const bare = document.title;

export async function waiting(header) {
  const found = await fetch(header.dataset.waits).then((answer) => answer.json()).catch(() => []);
  document.title = document.title.replace(bare, () => (found.length ? `(${found.length}) ${bare}` : bare));
  const here = `${location.pathname}/`; // or a past position, or a preview
  const others = found.filter(({ path }) => !here.startsWith(`${path}/`));
  const [next] = others;
  header.replaceChildren();
  $(".offered")?.remove();
  if (!next) return;
  const label = sayNumber("{n} board waits for you", "{n} boards wait for you", { n: others.length });
  header.append(make("a", { href: next.path, "aria-label": label, title: label }, String(others.length)));
  if (others.length === found.length) { // here is nothing to do
    $(".play:not(.lesson, .try, .review) > .table")?.prepend(make("a", { class: "offered", href: next.path }, say("Next: {board}", { board: next.name })));
  }
}
