// What the pages do more easily with a script; all of it also goes without.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const $ = (selector, root = document) => root.querySelector(selector);

function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function button(text, act, kind = "") {
  const made = make("button", { type: "button", class: kind }, text);
  made.addEventListener("click", act);
  return made;
}

// Past positions: a slider, and the arrow keys

function positions(nav) {
  const { at, last, here } = nav.dataset;
  const show = (ply) => location.assign(ply >= last ? here : `${here}/${Math.max(0, ply)}`);
  const slider = make("input", {
    type: "range", min: 0, max: last, value: at, "aria-label": "Position after move",
  });
  slider.addEventListener("change", () => show(Number(slider.value)));
  $("span", nav).after(slider);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, svg, figure, pre")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft" && at > 0) show(Number(at) - 1);
    if (event.key === "ArrowRight" && Number(at) < Number(last)) show(Number(at) + 1);
  });
}

// A larger board, which is then moved by scrolling

function zoom(figure) {
  let scale = 1;
  const set = (factor) => {
    scale = Math.min(4, Math.max(1, scale * factor));
    figure.style.setProperty("--zoom", scale);
  };
  const bar = make("p", { class: "zoom" },
    button("Larger", () => set(1.4)), button("Smaller", () => set(1 / 1.4)));
  figure.after(bar);
}

// Moving: click a tile, then a place; turn it, look at it, confirm it

class Mover {
  constructor(form, figure) {
    this.form = form;
    this.figure = figure;
    this.here = form.action.replace(/\/preview$/, "");
    this.tile = null;
    this.turns = [];
    this.turn = 0;
    this.board = null;
  }

  async begin() {
    const answer = await fetch(`${this.here}/moves`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    this.known = await answer.json();
    const { phase, moves } = this.known;
    if (phase === "take" || phase === "pair") {
      this.compose(phase);
    } else if (moves.length && this.figure && moves.some((move) => move.at.length)) {
      this.offer();
    }
  }

  // Tiles and places

  offer() {
    this.board = $("svg", this.figure);
    const tiles = [...new Set(this.known.moves.map((move) => move.tile))];
    this.tiles = make("div", { class: "tiles", role: "group", "aria-label": "Tiles that fit" });
    for (const tile of tiles) {
      const one = button(tile, () => this.take(tile), "tile");
      one.setAttribute("aria-pressed", "false");
      this.tiles.append(one);
    }
    this.status = make("p", { role: "status", class: "fine" },
      "Choose a tile, then a place on the board.");
    this.bar = make("div", { class: "bar" });
    const typed = make("details", {}, make("summary", {}, "Choose from a list"));
    // in the order in which they are used, also by keys
    this.figure.before(this.tiles, this.status);
    this.figure.after(this.bar);
    this.form.replaceWith(typed);
    typed.append(this.form);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  take(tile) {
    this.drop();
    this.tile = tile;
    for (const one of this.tiles.children) {
      one.setAttribute("aria-pressed", String(one.textContent === tile));
    }
    const places = new Map();
    for (const move of this.known.moves.filter((each) => each.tile === tile)) {
      for (const at of move.at) places.set(at, [...(places.get(at) || []), move]);
    }
    this.places = document.createElementNS(SVG, "g");
    this.places.setAttribute("class", "places");
    for (const [at, moves] of [...places].sort((a, b) => a[0] - b[0])) {
      this.places.append(this.place(at, moves));
    }
    this.board.append(this.places);
    this.widen();
    const best = Math.max(...this.known.moves.filter((m) => m.tile === tile).map((m) => m.score));
    this.status.textContent = `${tile} fits at ${places.size} places`
      + (best > 0 ? `, and scores ${best} at most.` : ".");
  }

  place(at, moves) {
    const [x, y] = this.known.cells[at];
    const best = Math.max(...moves.map((move) => move.score));
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "place");
    group.setAttribute("tabindex", "0");
    group.setAttribute("role", "button");
    group.setAttribute("data-place", at);
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.setAttribute("aria-label", `position ${at}` + (best > 0 ? `, scores ${best}` : ""));
    const outline = document.createElementNS(SVG, "path");
    outline.setAttribute("d", "M-15-26H15L30 0 15 26H-15L-30 0Z");
    group.append(outline);
    if (best > 0) {
      const score = document.createElementNS(SVG, "text");
      score.textContent = `+${best}`;
      score.setAttribute("y", "24");
      group.append(score);
    }
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

  widen() {
    // places beyond the picture become a part of it
    const box = this.board.viewBox.baseVal;
    const cells = [...this.places.children].map((p) => this.known.cells[p.dataset.place]);
    const xs = cells.map((cell) => cell[0]), ys = cells.map((cell) => cell[1]);
    const left = Math.min(box.x, ...xs.map((x) => x - 35)), top = Math.min(box.y, ...ys.map((y) => y - 31));
    const right = Math.max(box.x + box.width, ...xs.map((x) => x + 35));
    const bottom = Math.max(box.y + box.height, ...ys.map((y) => y + 31));
    this.board.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
  }

  async choose(moves, at) {
    // first those whose first half lies there
    this.turns = [...moves].sort((a, b) => (b.at[0] === at) - (a.at[0] === at));
    this.turn = 0;
    await this.look();
  }

  async look() {
    const { move, score } = this.turns[this.turn];
    const asked = await fetch(`${this.here}/preview?move=${encodeURIComponent(move)}`);
    const page = new DOMParser().parseFromString(await asked.text(), "text/html");
    const picture = $("figure.board:last-of-type svg", page), play = $("form[action$='/move']", page);
    if (!picture || !play) {
      this.status.textContent = $(".alert", page)?.textContent || "Please load the page again.";
      return;
    }
    this.shown?.remove();
    this.board.setAttribute("hidden", "");
    this.shown = picture;
    this.board.after(picture);
    this.status.textContent = `${move}` + (score ? ` scores ${score}.` : " scores nothing.");
    const turning = this.turns.length > 1
      ? [button(`Turn (${this.turn + 1} of ${this.turns.length})`, () => this.rotate())] : [];
    this.bar.replaceChildren(play, ...turning, button("Cancel", () => this.cancel()));
    $("button", play).focus();
  }

  async rotate() {
    this.turn = (this.turn + 1) % this.turns.length;
    await this.look();
  }

  cancel() {
    const tile = this.tile;
    this.drop();
    if (tile) this.take(tile);
  }

  drop() {
    this.shown?.remove();
    this.shown = null;
    this.places?.remove();
    this.board.removeAttribute("hidden");
    this.bar.replaceChildren();
    this.turns = [];
  }

  key(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.turns.length) this.cancel();
    if ((event.key === "r" || event.key === "R") && this.turns.length > 1) this.rotate();
  }

  // Wishes and pairs: letters that are put together

  compose(phase) {
    const input = $("input[name=move]", this.form);
    const list = make("div", { class: "tiles", role: "group", "aria-label": phase === "take" ? "Colours" : "Your tiles" });
    const status = make("p", { role: "status", class: "fine" });
    const chosen = [];
    const left = () => {
      const rest = [...this.known.pool];
      for (const letter of chosen) rest.splice(rest.indexOf(letter), 1);
      return rest;
    };
    const pairs = () => chosen.reduce((all, letter, n) => n % 2
      ? [...all.slice(0, -1), all.at(-1) + letter] : [...all, letter], []);
    const draw = () => {
      const letters = phase === "take" ? Object.keys(this.known.pot) : left();
      const place = [...list.children].indexOf(document.activeElement);
      list.replaceChildren(
        ...letters.map((letter) => button(letter, () => { chosen.push(letter); draw(); }, `tile c${letter}`)),
        button("Take one back", () => { chosen.pop(); draw(); }),
      );
      if (place >= 0) list.children[Math.min(place, list.children.length - 1)].focus();
      if (phase === "take") {
        input.value = chosen.length ? `take:${chosen.join("")},any` : "take:any";
        status.textContent = chosen.length
          ? `Your wishes: ${chosen.join(" ")}, then any.` : "Choose colours, the first wish first; with none you take any.";
      } else {
        input.value = chosen.length ? `pairs:${pairs().join(",")}` : "pairs:any";
        status.textContent = chosen.length
          ? `Your pairs: ${pairs().join(", ")}.` : "Choose two tiles for each pair; with none, chance makes the pairs.";
      }
    };
    this.form.before(list, status);
    draw();
  }
}

// News: the page is loaded again when something happens on its board

function news(main) {
  const { news: path, revision } = main.dataset;
  let source = null;
  const told = (event) => {
    if (event.data === revision) return;
    close();
    const busy = $(".bar form, .shown") || [...document.querySelectorAll("textarea")].some((t) => t.value);
    if (!busy) return location.reload();
    document.title = `* ${document.title}`;
    main.prepend(make("p", { role: "status", class: "whose" },
      "Something has happened on this board. ", make("a", { href: "" }, "Show it")));
  };
  const open = () => {
    if (source) return;
    source = new EventSource(path);
    source.onmessage = told;
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  if (!document.hidden) open();
}

const nav = $("nav.moves"), form = $("#move"), figures = document.querySelectorAll("figure.board");
figures.forEach(zoom);
if (nav) positions(nav);
if (form) new Mover(form, [...figures].at(-1)).begin();
if ($("main").dataset.news) news($("main"));
