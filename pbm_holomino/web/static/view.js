// Looking at a board: past positions, and a view that is moved and made larger.

import { $, FAR, button, isTyped, make, say } from "./dom.js";

// Past positions: a slider, and the arrow keys
export function positions(nav) {
  const { at, last, here } = nav.dataset;
  const show = (ply) => location.assign(ply >= last ? here : `${here}/${Math.max(0, ply)}`);
  const slider = make("input", {
    type: "range", min: 0, max: last, value: at, "aria-label": say("Position after move"),
  });
  slider.addEventListener("change", () => show(Number(slider.value)));
  $(".room", nav).replaceWith(slider);
  document.addEventListener("keydown", (event) => {
    if (isTyped(event) || event.defaultPrevented || event.target.closest("svg, pre, .tiles")) return;
    if (event.key === "ArrowLeft" && at > 0) show(Number(at) - 1);
    if (event.key === "ArrowRight" && Number(at) < Number(last)) show(Number(at) + 1);
  });
}

const NEAR = 4; // how much larger a picture gets
const STILL = 1.35; // a picture that is smaller than it could be by less than this stays
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const views = new WeakMap();

// Cells beyond the picture become a part of it
export const widen = (figure, cells) => views.get(figure)?.widen(cells);

// A view of a board, which is moved by dragging it, and made larger by wheel, by two
// fingers and by keys. Whatever is put into the figure is seen in the same way.
export class View {
  constructor(figure, board) {
    views.set(figure, this);
    this.figure = figure;
    const { frame, recalled } = figure.dataset; // of look.js
    const [x, y, width, height] = (frame ?? $("svg", figure).getAttribute("viewBox")).split(" ").map(Number);
    this.frame = [x, y, x + width, y + height];
    this.now = recalled ? JSON.parse(recalled) : this.whole();
    this.goal = { ...this.now };
    this.settle();
    new MutationObserver(() => this.apply()).observe(figure, { childList: true });
    this.showClosed($("svg", figure).classList);
    this.size = this.measured();
    new ResizeObserver(() => this.resized()).observe(figure);
    addEventListener("pagehide", () => this.remember(board));
    figure.after(make("div", { class: "zoom" },
      sign("+", say("Larger"), () => this.zoom(1.4)), sign("-", say("Smaller"), () => this.zoom(1 / 1.4)),
      sign("", say("The whole board"), () => this.go(this.whole()))));
    document.addEventListener("keydown", (event) => this.key(event));
    figure.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.points = new Map(); // of fingers, or of a mouse
    figure.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      addEventListener(kind, ({ pointerId }) => this.points.delete(pointerId));
    }
    figure.addEventListener("click", (event) => {
      if (this.isDragged) event.stopPropagation();
      this.isDragged = false;
    }, true);
  }

  // What the last move has closed is shown for two seconds, or until the next touch
  showClosed(classes) {
    const hide = () => classes.add("touched");
    if (!isStill.matches) setTimeout(hide, 2000);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, hide, { once: true });
  }

  // From its middle: where it is, and how many units are in a pixel
  whole() {
    const [left, top, right, bottom] = this.frame, { clientWidth, clientHeight } = this.figure;
    const unit = Math.max((right - left) / clientWidth, (bottom - top) / clientHeight);
    return { x: (left + right) / 2, y: (top + bottom) / 2, unit };
  }

  get isNear() {
    return this.goal.unit < this.whole().unit * 0.99;
  }

  // For the next page of the same board
  remember(board) {
    const kept = { ...this.goal, isNear: this.isNear };
    try { sessionStorage.setItem(`pbm-view-${board}`, JSON.stringify(kept)); } catch { /* it fits again */ }
  }

  // Where all is in sight, and not too small, the picture stays
  settle() {
    const { clientWidth, clientHeight } = this.figure, { x, y, unit, isNear } = this.now;
    const [left, top, right, bottom] = this.frame;
    const isInside = left >= x - unit * clientWidth / 2 && right <= x + unit * clientWidth / 2
      && top >= y - unit * clientHeight / 2 && bottom <= y + unit * clientHeight / 2;
    if (isNear || (isInside && unit < STILL * this.whole().unit)) this.go(this.now);
    else this.go(this.whole());
  }

  widen(cells) {
    const isWhole = !this.isNear;
    const [xs, ys] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
    const [left, top, right, bottom] = this.frame;
    this.frame = [
      Math.min(left, ...xs.map((x) => x - 35)), Math.min(top, ...ys.map((y) => y - 31)),
      Math.max(right, ...xs.map((x) => x + 35)), Math.max(bottom, ...ys.map((y) => y + 31)),
    ];
    if (isWhole) this.settle();
  }

  measured() {
    return `${this.figure.clientWidth} ${this.figure.clientHeight}`;
  }

  // The first call comes when the observer begins: what was recalled stays
  resized() {
    if (!this.figure.clientWidth) return; // its page is being left
    const before = this.size;
    this.size = this.measured();
    if (this.size === before) return;
    const wasNear = this.figure.classList.contains("moved"); // when it had its old size
    if (!wasNear) this.now = this.whole();
    this.go(this.now);
    this.now = { ...this.goal };
    this.apply();
  }

  // Towards a view, of which nothing is outside the board that need not be
  go({ x, y, unit }) {
    const whole = this.whole();
    const [left, top, right, bottom] = this.frame, { clientWidth, clientHeight } = this.figure;
    const within = (at, low, high, size) => {
      const room = Math.max(0, (high - low - size) / 2), middle = (low + high) / 2;
      return Math.min(middle + room, Math.max(middle - room, at));
    };
    this.goal = { x, y, unit: Math.max(whole.unit / NEAR, unit) };
    if (unit <= whole.unit) {
      this.goal.x = within(x, left, right, unit * clientWidth);
      this.goal.y = within(y, top, bottom, unit * clientHeight);
    }
    this.figure.classList.toggle("moved", this.isNear);
    if (isStill.matches || this.points?.size) {
      this.now = { ...this.goal };
      this.apply();
    } else {
      this.frames ??= requestAnimationFrame((time) => this.step(time, time));
    }
  }

  step(time, before) {
    const part = 1 - Math.exp((before - time) / 60);
    let isThere = true;
    for (const [key, goal] of Object.entries(this.goal)) {
      const left = goal - this.now[key];
      this.now[key] += left * part;
      isThere &&= Math.abs(left) < (key === "unit" ? 0.002 : 0.5);
    }
    if (isThere) this.now = { ...this.goal };
    this.apply();
    this.frames = isThere ? null : requestAnimationFrame((next) => this.step(next, time));
  }

  apply() {
    const { clientWidth, clientHeight } = this.figure, { x, y, unit } = this.now;
    const width = unit * clientWidth, height = unit * clientHeight;
    for (const svg of this.figure.children) {
      svg.setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${width} ${height}`);
    }
  }

  // What is at this point of the window stays there
  zoom(factor, at = null) {
    const box = this.figure.getBoundingClientRect(), { x, y, unit } = this.goal, whole = this.whole();
    const to = Math.min(whole.unit, Math.max(whole.unit / NEAR, unit / factor));
    const right = at ? at[0] - box.x - box.width / 2 : 0, down = at ? at[1] - box.y - box.height / 2 : 0;
    this.go({ x: x + right * (unit - to), y: y + down * (unit - to), unit: to });
  }

  pan(right, down) {
    const { x, y, unit } = this.goal;
    this.go({ x: x - right * unit, y: y - down * unit, unit });
  }

  key(event) {
    if (isTyped(event) || event.defaultPrevented) return;
    if (event.key === "+") this.zoom(1.4);
    if (event.key === "-") this.zoom(1 / 1.4);
    if (event.key === "0") this.go(this.whole());
    const way = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (!way || event.target !== this.figure || !this.isNear) return;
    event.preventDefault();
    this.pan(...way);
  }

  // The page goes on scrolling where the board cannot get smaller
  wheel(event) {
    const isAway = event.deltaY > 0 ? !this.isNear : scrollY > 0 && !this.isNear;
    if (isAway && !event.ctrlKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-Math.max(-80, Math.min(80, event.deltaY)) / 200), [event.clientX, event.clientY]);
  }

  press(event) {
    if (event.button) return;
    if (!this.points.size) this.isDragged = false;
    this.points.set(event.pointerId, [event.clientX, event.clientY]);
    this.far = 0;
  }

  drag(event) {
    const was = this.points.get(event.pointerId);
    if (!was) return;
    const is = [event.clientX, event.clientY];
    this.far += Math.hypot(is[0] - was[0], is[1] - was[1]);
    this.points.set(event.pointerId, is);
    if (this.far > FAR) this.isDragged = true;
    if (this.points.size === 1 && (!this.isDragged || !this.isNear)) return;
    const others = [...this.points].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const share = 1 / this.points.size;
    this.pan((is[0] - was[0]) * share, (is[1] - was[1]) * share);
    if (others.length !== 1) return;
    const [other] = others, apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
    this.zoom(apart(is) / apart(was), [(is[0] + other[0]) / 2, (is[1] + other[1]) / 2]);
  }
}

function sign(text, name, act) {
  const made = button("", act);
  made.dataset.sign = text;
  made.setAttribute("aria-label", name);
  made.title = name;
  return made;
}
