// Wishes and pairs, which are put together from letters: by click, by key, or by
// dragging one to another.

import { $, FAR, arrows, button, make, say, sayNumber } from "./dom.js";

// An element follows the pointer that is pressed on it. Tell where it is let go.
function dragged(element, drop) {
  element.classList.add("drag");
  element.addEventListener("pointerdown", (from) => {
    const end = new AbortController(), { signal } = end;
    element.releasePointerCapture(from.pointerId);
    signal.addEventListener("abort", () => {
      element.classList.remove("dragged");
      element.style.translate = "";
    });
    addEventListener("pointermove", (to) => {
      const way = [to.clientX - from.clientX, to.clientY - from.clientY];
      if (Math.hypot(...way) > FAR) element.classList.add("dragged");
      if (!element.matches(".dragged")) return;
      element.style.translate = way.map((one) => `${one}px`).join(" ");
    }, { signal });
    addEventListener("pointerup", (to) => {
      const there = document.elementFromPoint(to.clientX, to.clientY)?.closest("[data-drop]");
      end.abort();
      if (there && there !== element) drop(there);
    }, { signal });
    addEventListener("pointercancel", () => end.abort(), { signal });
  });
}

function group(label) {
  const made = make("div", { class: "tiles", role: "group", "aria-label": label });
  arrows(made);
  return made;
}

// A tile as on the board, and in its letter
const walong = (letter) => make("span", { class: `walong c${letter}` }, letter);

// The words of a move that is still in the address when a player comes back to the board
function before(pattern, between) {
  const [, words] = location.hash.match(pattern) || [];
  return words ? words.split(between) : [];
}

// Put the letters that a player has, if they are known, before the form into which their
// move goes, where the page has room for them
export function compose(form, known) {
  const Kind = { take: Wishes, pair: Pairs }[known?.phase];
  $(".composed")?.remove();
  if (Kind) new Kind(form, known);
}

class Composer {
  constructor(form, known) {
    this.input = $("input[name=move]", form);
    this.known = known;
    this.status = make("p", { role: "status", class: "fine" });
    this.chosen = [];
  }

  begin(form, ...parts) {
    form.before(make("div", { class: "composed" }, ...parts));
  }

  // Put the move into its field, and what has been chosen also into the address
  write(move) {
    this.input.value = move;
    const address = this.chosen.length ? `#${move}` : location.pathname + location.search;
    if (this.chosen.length || location.hash) history.replaceState(null, "", address);
  }

  // Show what there is now; the focus stays where it was, as far as that is there still
  show(left, right) {
    const lists = [this.left, this.right];
    const was = lists.find((list) => list.contains(document.activeElement));
    const place = was ? [...was.children].indexOf(document.activeElement) : -1;
    this.left.replaceChildren(...left);
    this.right.replaceChildren(...right);
    if (!was) return;
    const stays = was.children.length ? was : lists.find((list) => list !== was);
    stays.children[Math.min(place, stays.children.length - 1)]?.focus();
  }
}

class Wishes extends Composer {
  constructor(form, known) {
    super(form, known);
    this.left = group(say("Colours"));
    this.right = group(say("Your wishes, the first one first"));
    this.right.dataset.drop = "";
    this.chosen = before(/^#take:([A-Z]+),any$/, /(?=.)/).filter((letter) => known.pot[letter]);
    this.begin(form, this.left, this.status, this.right);
    this.draw();
  }

  draw() {
    const { chosen } = this;
    this.show(
      Object.keys(this.known.pot).filter((letter) => this.known.pot[letter]).map((letter) => {
        const one = button(walong(letter), () => this.put([...chosen, letter]), "tile");
        one.append(make("small", {}, ` ${this.known.pot[letter]}`));
        dragged(one, (there) => this.insert(letter, there));
        return one;
      }),
      chosen.map((letter, at) => this.wish(letter, at)),
    );
    this.input.defaultValue = "take:any";
    this.write(chosen.length ? `take:${chosen.join("")},any` : "take:any");
    this.status.textContent = chosen.length
      ? say("Your wishes: {wishes}, then any. Press one to take it back; the arrow keys move it.", { wishes: chosen.join(" ") })
      : say("Choose colours, your first wish first; the numbers say how many are left. With none you take any.");
  }

  wish(letter, at) {
    const rest = this.chosen.toSpliced(at, 1);
    const one = button(walong(letter), () => this.put(rest), "tile");
    one.dataset.drop = at;
    one.setAttribute("aria-label", say("wish {number}: {letter}", { number: at + 1, letter }));
    one.addEventListener("keydown", (event) => {
      const to = at + { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!(to >= 0 && to < this.chosen.length)) return;
      event.preventDefault();
      this.put(rest.toSpliced(to, 0, letter));
      this.right.children[to].focus();
    });
    dragged(one, (there) => {
      if (there.dataset.drop) this.put(rest.toSpliced(Number(there.dataset.drop), 0, letter));
    });
    return one;
  }

  insert(letter, there) {
    const at = there.dataset.drop ? Number(there.dataset.drop) : this.chosen.length;
    this.put(this.chosen.toSpliced(at, 0, letter));
  }

  put(chosen) {
    this.chosen = chosen;
    this.draw();
  }
}

class Pairs extends Composer {
  constructor(form, known) {
    super(form, known);
    this.rest = [...known.pool];
    this.held = -1; // the place among the rest of the tile that is pressed
    this.left = group(say("Your tiles"));
    this.right = group(say("Your pairs"));
    const others = button(say("Pair the others"), () => this.pairOthers());
    this.others = make("div", { class: "bar" }, others);
    this.begin(form, this.left, this.status, this.right, this.others);
    form.addEventListener("submit", (event) => {
      if (!this.chosen.length || !this.rest.length) return;
      event.preventDefault(); // it would be refused
      this.status.textContent = sayNumber(
        "Please pair the other {n} tiles, too.", "Please pair the other {n} tiles, too.", { n: this.rest.length },
      );
      others.focus();
    });
    this.left.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.held >= 0) this.press(this.held);
    });
    for (const [one, other] of before(/^#pairs:([A-Z]{2}(?:,[A-Z]{2})*)$/, ",")) {
      const at = this.rest.indexOf(one);
      const second = this.rest.findIndex((letter, place) => letter === other && place !== at);
      if (at >= 0 && second >= 0) this.take(at, second);
    }
    this.draw();
  }

  // As many pairs of two colours as the order of the letters gives
  pairOthers() {
    const half = this.rest.length / 2;
    const pairs = this.rest.slice(0, half).map((letter, at) => letter + this.rest[half + at]);
    this.chosen = [...this.chosen, ...pairs];
    this.rest = [];
    this.held = -1;
    this.draw();
    this.right.lastChild.focus();
  }

  draw() {
    this.show(
      this.rest.map((letter, at) => this.one(letter, at)),
      this.chosen.map((pair, at) => {
        const one = button(walong(pair[0]), () => this.part(at), "tile");
        one.append(walong(pair[1]));
        one.setAttribute("aria-label", say("pair {number}: {pair}", { number: at + 1, pair }));
        return one;
      }),
    );
    this.input.defaultValue = "pairs:any";
    this.write(this.chosen.length ? `pairs:${this.chosen.join(",")}` : "pairs:any");
    this.status.textContent = this.ask();
    this.others.hidden = !this.rest.length;
  }

  ask() {
    if (!this.chosen.length) {
      return say("Press two tiles for each pair, or drag one to another; with none, chance makes the pairs.");
    }
    if (!this.rest.length) return say("No tiles are left to pair. Press a pair to part it.");
    return sayNumber(
      "{n} tiles are left to pair. Press a pair to part it.",
      "{n} tiles are left to pair. Press a pair to part it.",
      { n: this.rest.length },
    );
  }

  one(letter, at) {
    const one = button(walong(letter), () => this.press(at), "tile");
    one.dataset.drop = at;
    one.setAttribute("aria-pressed", String(at === this.held));
    dragged(one, (there) => this.join(at, Number(there.dataset.drop)));
    return one;
  }

  press(at) {
    if (this.held >= 0 && this.held !== at) return this.join(this.held, at);
    this.held = this.held === at ? -1 : at;
    this.draw();
  }

  take(first, second) {
    this.chosen = [...this.chosen, this.rest[first] + this.rest[second]];
    this.rest = this.rest.filter((_, at) => at !== first && at !== second);
    this.held = -1;
  }

  join(first, second) {
    this.take(first, second);
    this.draw();
  }

  part(at) {
    this.rest = [...this.rest, ...this.chosen[at]];
    this.chosen = this.chosen.toSpliced(at, 1);
    this.held = -1;
    this.draw();
  }
}
