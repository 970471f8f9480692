// Moving: click a tile, then a place; turn it, look at it, and confirm it. Moves for
// coming turns are laid out in the same way.

import { $, arrows, button, draw, isTyped, make, say, sayForm } from "./dom.js";
import { widen } from "./view.js";

const HEXAGON = "M-15-26H15L30 0 15 26H-15L-30 0Z";

const best = (moves) => Math.max(...moves.map((move) => move.score));

export class Mover {
  // `here` is the path of the board. With `isAhead`, it is not the player's turn.
  constructor(here, figure, isAhead) {
    this.here = here;
    this.figure = figure;
    this.isAhead = isAhead;
    this.ahead = []; // moves that are laid out already
    this.no = null; // the number of the first one, if it is the player's turn
    this.turns = []; // moves with a tile at a place, of which one is shown
    this.turn = 0;
    this.tile = null;
    this.at = null;
  }

  get isPlan() {
    return this.isAhead || this.ahead.length > 0;
  }

  // What is there under a path of the board, for these words
  ask(path, words = {}) {
    const ahead = this.isPlan ? { ahead: this.ahead.join(" ") } : {};
    return fetch(`${this.here}${path}?${new URLSearchParams({ ...ahead, ...words })}`);
  }

  // The page that shows a move
  preview(move) {
    return this.ask("/preview", { move });
  }

  // Ask for the moves; whether there are any that have places: none, if the turn is over
  async load() {
    const answer = await this.ask("/moves");
    if (!answer.ok) return false;
    this.known = await answer.json();
    return Boolean(this.figure && this.known?.moves.some((move) => move.at.length));
  }

  // Put the tiles before the board, where the page may have room for them, and after it
  // what can be done
  begin() {
    this.tiles = make("div", { class: "tiles", role: "group", "aria-label": say("Tiles that fit") });
    this.status = make("p", { role: "status", class: "fine" });
    this.bar = make("div", { class: "bar" });
    arrows(this.tiles);
    // beside the board or, within a thumb's reach, below it
    $(".hand")?.remove();
    this.figure.closest(".table").before(make("div", { class: "hand" }, this.status, this.tiles, this.bar));
    document.addEventListener("keydown", (event) => this.key(event));
    this.list();
  }

  list() {
    this.tile = null;
    this.board = $("svg", this.figure);
    widen(this.figure, Object.values(this.known.cells));
    const tiles = [...new Set(this.known.moves.map((move) => move.tile))];
    this.tiles.replaceChildren(...tiles.map((tile) => {
      const one = button("", () => this.press(tile), "tile");
      one.innerHTML = this.known.drawn[tile];
      one.setAttribute("aria-pressed", "false");
      return one;
    }));
    this.invite();
  }

  invite() {
    this.status.textContent = this.isPlan
      ? say("Choose a tile, then a place on the board, for your next turn.")
      : say("Choose a tile, then a place on the board.");
  }

  // A tile that is pressed again is put back
  press(tile) {
    const isBack = tile === this.tile && !this.turns.length;
    this.drop();
    if (isBack) this.invite();
    else this.take(tile);
  }

  take(tile) {
    this.tile = tile;
    const pressed = [...this.tiles.children].find((one) => one.textContent === tile);
    pressed.setAttribute("aria-pressed", "true");
    const theirs = this.known.moves.filter((move) => move.tile === tile);
    const places = new Map();
    for (const move of theirs) {
      for (const at of move.at) places.set(at, [...(places.get(at) || []), move]);
    }
    const sorted = [...places].sort((a, b) => a[0] - b[0]);
    this.places = draw("g", { class: "places" }, ...sorted.map(([at, moves]) => this.place(at, moves)));
    this.board.setAttribute("role", "group"); // a picture could hold no buttons
    this.board.append(this.places);
    arrows(this.places);
    const score = best(theirs);
    this.tell(this.said(score > 0 ? "fits_best" : "fits", { tile: "\0", score, n: places.size }), pressed.firstChild);
  }

  // Say something of a tile, which is drawn where its sentence has \0
  tell(said, tile) {
    const [before, after] = said.split("\0");
    this.status.replaceChildren(before, tile.cloneNode(true), after);
  }

  // What this game says of a move, or of places
  said(name, what) {
    return sayForm(this.known.says[name], what);
  }

  place(at, moves) {
    const [x, y] = this.known.cells[at], most = best(moves), below = this.known.covered[at];
    const group = draw("g", {
      class: "place", tabindex: 0, role: "button", "data-place": at,
      transform: `translate(${x} ${y})`,
      "aria-label": this.said((below ? "on" : "at") + (most > 0 ? "_best" : ""), { at, below, score: most, n: most }),
    }, ...(below ? [draw("path", { class: "halo", d: HEXAGON })] : []), draw("path", { d: HEXAGON }));
    if (most > 0) group.append(draw("text", { y: 20 }, `+${most}`));
    const choose = () => this.choose(moves, at);
    group.addEventListener("click", choose);
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose();
      }
    });
    return group;
  }

  async choose(moves, at) {
    // first those whose first half lies there
    this.turns = [...moves].sort((a, b) => (b.at[0] === at) - (a.at[0] === at));
    this.turn = 0;
    this.at = at;
    await this.look();
  }

  async look() {
    const { move, score } = this.turns[this.turn];
    const asked = await this.preview(move);
    const page = new DOMParser().parseFromString(await asked.text(), "text/html");
    if (this.turns[this.turn]?.move !== move) return; // it is another one by now
    const picture = [...page.querySelectorAll("figure.board svg")].at(-1);
    const play = this.playing(page, move);
    if (!picture || !play) {
      this.status.textContent = $(".alert", page)?.textContent || say("Please load the page again.");
      return;
    }
    this.shown?.remove();
    this.board.setAttribute("hidden", "");
    this.shown = picture;
    this.board.after(picture);
    const drawn = $("[aria-pressed=true] .tile", this.tiles).cloneNode(true);
    $(".aside", drawn).remove(); // the move has its name
    this.tell(this.said(score ? "gain" : "nothing", { move: `\0${move}`, score, n: score }), drawn);
    const count = this.turns.length, wasRotated = document.activeElement.matches(".rotate");
    const more = [];
    if (count > 1) {
      picture.classList.add("turns");
      picture.addEventListener("click", () => this.rotate());
      more.push(button(say("Turn ({number} of {count})", { number: this.turn + 1, count }), () => this.rotate(), "rotate"));
    }
    if ($("#ahead")) more.push(button(say("Plan one more"), () => this.lay(move)));
    this.bar.replaceChildren(play, ...more, button(say("Cancel"), () => this.cancel(), "cancel"));
    const isAtOnce = document.documentElement.dataset.moves === "once" && count === 1 && !this.isPlan;
    if (isAtOnce) return play.requestSubmit($("button", play));
    (wasRotated ? $(".rotate", this.bar) : $("button", play)).focus();
  }

  // The form of that page which plays the move
  playing(page, move) {
    const form = $("#preview form", page);
    this.no ??= $("[name=no]", form ?? page)?.value;
    return form && this.isPlan ? this.form([...this.ahead, move]) : form;
  }

  async rotate() {
    if (!this.turns.length) return; // it lies on the board already
    this.turn = (this.turn + 1) % this.turns.length;
    await this.look();
  }

  // Leave a move on the board, and go on from there
  async lay(move) {
    this.ahead.push(move);
    this.places.remove();
    this.board.remove();
    this.board = this.shown;
    this.shown = null;
    this.turns = [];
    this.bar.replaceChildren(...this.plan());
    if (await this.load()) {
      this.list();
    } else {
      this.tiles.replaceChildren();
      this.status.textContent = say("After that, none of your tiles fits.");
    }
    (this.tiles.firstChild || $("button", this.bar)).focus();
  }

  // What can be done with the moves that are laid out
  plan() {
    if (!this.ahead.length) return [];
    return [this.form(this.ahead), button(say("Begin again"), () => location.reload())];
  }

  // The form of the page that queues moves. On the player's turn, the first is played
  // at once, and only as the move that it is now.
  form(moves) {
    const [first, ...rest] = moves;
    const form = $("#ahead form").cloneNode(true);
    form.className = "one";
    for (const one of [...form.children]) {
      if (!one.matches("button, input")) one.remove();
    }
    const typed = $("input[name=moves]", form);
    typed.type = "hidden";
    typed.removeAttribute("id");
    typed.value = [this.no ? `${first}#${this.no}` : first, ...rest].join(" ");
    $("button", form).textContent = this.isAhead
      ? say("Queue {moves}", { moves: moves.join(" ") })
      : rest.reduce((all, move) => say("{moves}, then {move}", { moves: all, move }), say("Play {move}", { move: first }));
    $("button", form).className = "strong";
    return form;
  }

  // Back to where a tile fits
  cancel() {
    const tile = this.tile;
    this.drop();
    this.take(tile);
    $(`[data-place="${this.at}"]`, this.places).focus();
  }

  // Put the tile back
  drop() {
    for (const one of this.tiles.children) one.setAttribute("aria-pressed", "false");
    this.tile = null;
    this.shown?.remove();
    this.shown = null;
    this.places?.remove();
    this.board.setAttribute("role", "img");
    this.board.removeAttribute("hidden");
    this.bar.replaceChildren(...this.plan());
    this.turns = [];
  }

  key(event) {
    if (isTyped(event)) return;
    if (event.key === "Escape" && this.turns.length) {
      this.cancel();
    } else if (event.key === "Escape" && this.tile) {
      const pressed = $("[aria-pressed=true]", this.tiles);
      pressed.click();
      pressed.focus();
    }
    if ((event.key === "r" || event.key === "R") && this.turns.length > 1) this.rotate();
  }
}
