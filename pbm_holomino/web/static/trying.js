// Trying moves: each is chosen as in mover.js, and leads to the page of what follows.

import { $, ask, make, say } from "./dom.js";
import { Mover } from "./mover.js";

export class Trying extends Mover {
  // `line` is the form of the next move, with the line so far
  constructor(line, figure) {
    super(line.action, figure, false);
    this.line = line;
  }

  ask(path, words) {
    return ask(`${this.here}${path}`, this.line, words);
  }

  preview(move) {
    return this.ask("", { move });
  }

  playing(page, move) {
    return $(".alert", page) ? null : this.sent(move);
  }

  // A form with the line and this move
  sent(move) {
    const { action, method } = this.line;
    const kept = [...this.line.querySelectorAll("[type=hidden]")].map((one) => one.cloneNode());
    const chosen = make("input", { type: "hidden", name: "move", value: move });
    return make("form", { class: "one", action, method }, ...kept, chosen, make("button", { class: "strong" }, say("Try it")));
  }

  // Nothing is played, so one that fits in one way only needs no second look
  async look() {
    if (this.turns.length > 1) return super.look();
    const form = this.sent(this.turns[0].move);
    this.bar.replaceChildren(form);
    form.requestSubmit();
  }
}
