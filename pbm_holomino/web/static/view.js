// Looking at a board: past positions, zoom, and pan.

import { $, FAR, button, isTyped, make, say } from "./dom.js";

// Past positions: a slider, and the arrow keys
export function positions(nav) {
  const { at, last, here } = nav.dataset;
  const show = (ply) => location.assign(ply >= last ? here : `${here}/${Math.max(0, ply)}`);
  const slider = make("input", {
    type: "range", min: 0, max: last, value: at, "aria-label": say("Position after move"),
  });
  slider.addEventListener("change", () => show(Number(slider.value)));
  $("span", nav).after(slider);
  document.addEventListener("keydown", (event) => {
    if (isTyped(event) || event.target.closest("svg, figure, pre, .tiles")) return;
    if (event.key === "ArrowLeft" && at > 0) show(Number(at) - 1);
    if (event.key === "ArrowRight" && Number(at) < Number(last)) show(Number(at) + 1);
  });
}

// A larger board, which is moved by dragging or scrolling it, or by the arrow keys
export function zoom(figure) {
  let scale = 1;
  const set = (factor) => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = figure;
    const before = scale;
    scale = Math.min(4, Math.max(1, scale * factor));
    figure.style.setProperty("--zoom", scale);
    // the middle stays in the middle
    const grown = scale / before;
    figure.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    figure.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2;
  };
  const larger = () => set(1.4), smaller = () => set(1 / 1.4);
  figure.after(make("p", { class: "zoom" }, button(say("Larger"), larger), button(say("Smaller"), smaller)));
  figure.addEventListener("keydown", (event) => {
    if (isTyped(event)) return;
    if (event.key === "+") larger();
    if (event.key === "-") smaller();
  });
  pan(figure);
}

function pan(figure) {
  let from = null, moved = false;
  figure.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return; // fingers scroll
    from = [event.clientX + figure.scrollLeft, event.clientY + figure.scrollTop, event.clientX, event.clientY];
    moved = false;
  });
  addEventListener("pointermove", (event) => {
    if (!from) return;
    moved ||= Math.hypot(event.clientX - from[2], event.clientY - from[3]) > FAR;
    if (!moved) return;
    figure.scrollLeft = from[0] - event.clientX;
    figure.scrollTop = from[1] - event.clientY;
  });
  addEventListener("pointerup", () => { from = null; });
  figure.addEventListener("click", (event) => {
    if (moved) event.stopPropagation();
    moved = false;
  }, true);
}
