// Trying moves: each is chosen as in mover.js, and leads to the page of what follows.

import { make, say } from "./dom.js";
import { Mover } from "./mover.js";

export class Trying extends Mover {
  // `form` is that of the page, with the line so far
  constructor(form, figure) {
    super(form.action, figure, false);
    this.line = { since: form.elements.since.value, line: form.elements.line.value };
  }

  query(words = {}) {
    return new URLSearchParams({ ...this.line, ...words }).toString();
  }

  page(move) {
    return `${this.here}?${this.query({ move })}`;
  }

  playing(_, move) {
    const fields = Object.entries({ ...this.line, move });
    const hidden = fields.map(([name, value]) => make("input", { type: "hidden", name, value }));
    return make("form", { class: "one", action: this.here }, ...hidden, make("button", { class: "strong" }, say("Try it")));
  }

  // Nothing is played, so one that fits in one way only needs no second look
  async look() {
    if (this.turns.length > 1) return super.look();
    const form = this.playing(null, this.turns[0].move);
    this.bar.replaceChildren(form);
    form.requestSubmit();
  }
}
