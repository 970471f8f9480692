// Wishes and pairs, which are put together from letters: by click, by key, or by
// dragging one to another.

import { $, button, make } from "./dom.js";

// Tell where a pointer that was pressed on an element is let go
function dragged(element, drop) {
  element.classList.add("drag");
  element.addEventListener("pointerdown", (event) => {
    element.releasePointerCapture(event.pointerId);
    addEventListener("pointerup", (end) => {
      const there = document.elementFromPoint(end.clientX, end.clientY)?.closest("[data-drop]");
      if (there && there !== element) drop(there);
    }, { once: true });
  });
}

const group = (label) => make("div", { class: "tiles", role: "group", "aria-label": label });

class Composer {
  constructor(form, known) {
    this.input = $("input[name=move]", form);
    this.known = known;
    this.status = make("p", { role: "status", class: "fine" });
    this.chosen = [];
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

export class Wishes extends Composer {
  constructor(form, known) {
    super(form, known);
    this.left = group("Colours");
    this.right = group("Your wishes, the first one first");
    this.right.dataset.drop = "";
    form.before(this.left, this.status, this.right);
    this.draw();
  }

  draw() {
    const { chosen } = this;
    this.show(
      Object.keys(this.known.pot).filter((letter) => this.known.pot[letter]).map((letter) => {
        const one = button(letter, () => this.put([...chosen, letter]), `tile c${letter}`);
        dragged(one, (there) => this.insert(letter, there));
        return one;
      }),
      chosen.map((letter, at) => this.wish(letter, at)),
    );
    this.input.defaultValue = "take:any";
    this.input.value = chosen.length ? `take:${chosen.join("")},any` : "take:any";
    this.status.textContent = chosen.length
      ? `Your wishes: ${chosen.join(" ")}, then any. Press one to take it back; the arrow keys move it.`
      : "Choose colours, the first wish first; with none you take any.";
  }

  wish(letter, at) {
    const rest = this.chosen.toSpliced(at, 1);
    const one = button(letter, () => this.put(rest), `tile c${letter}`);
    one.dataset.drop = at;
    one.setAttribute("aria-label", `wish ${at + 1}: ${letter}`);
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

export class Pairs extends Composer {
  constructor(form, known) {
    super(form, known);
    this.rest = [...known.pool];
    this.held = -1; // the place among the rest of the tile that is pressed
    this.left = group("Your tiles");
    this.right = group("Your pairs");
    form.before(this.left, this.status, this.right);
    this.draw();
  }

  draw() {
    this.show(
      this.rest.map((letter, at) => this.one(letter, at)),
      this.chosen.map((pair, at) => {
        const one = button(pair, () => this.part(at), "tile");
        one.setAttribute("aria-label", `pair ${at + 1}: ${pair}`);
        return one;
      }),
    );
    this.input.defaultValue = "pairs:any";
    this.input.value = this.chosen.length ? `pairs:${this.chosen.join(",")}` : "pairs:any";
    this.status.textContent = this.chosen.length
      ? `Your pairs: ${this.chosen.join(", ")}. Press one to part it.`
      : "Press two tiles for each pair, or drag one to another; with none, chance makes the pairs.";
  }

  one(letter, at) {
    const one = button(letter, () => this.press(at), `tile c${letter}`);
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

  join(first, second) {
    this.chosen = [...this.chosen, this.rest[first] + this.rest[second]];
    this.rest = this.rest.filter((_, at) => at !== first && at !== second);
    this.held = -1;
    this.draw();
  }

  part(at) {
    this.rest = [...this.rest, ...this.chosen[at]];
    this.chosen = this.chosen.toSpliced(at, 1);
    this.held = -1;
    this.draw();
  }
}
