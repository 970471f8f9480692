// How the pages look, as somebody has chosen in this browser. This comes before the page
// is drawn, so that nothing is drawn twice.
for (const what of ["theme", "tiles", "numbers", "moves"]) {
  try {
    const chosen = localStorage.getItem(`pbm-${what}`);
    if (chosen) document.documentElement.dataset[what] = chosen;
  } catch { /* a browser may keep nothing */ }
}

// A board is seen as it was on the page before. view.js, which remembers that, comes late:
// here the picture is put right as soon as it is there, before it is drawn.
function recall() {
  document.querySelectorAll("figure.board:not([data-frame]) > svg").forEach((svg) => {
    const figure = svg.parentNode, no = [...document.querySelectorAll("figure.board")].indexOf(figure);
    const kept = sessionStorage.getItem(`pbm-view-${document.querySelector("main").dataset.shown ?? ""}-${no}`);
    figure.dataset.frame = svg.getAttribute("viewBox");
    try {
      const { x, y, unit } = JSON.parse(kept), width = unit * figure.clientWidth, height = unit * figure.clientHeight;
      svg.setAttribute("viewBox", `${x - width / 2} ${y - height / 2} ${width} ${height}`);
      figure.dataset.recalled = kept;
    } catch { /* nothing is kept of it */ }
  });
}
try {
  if (sessionStorage.length) {
    const watch = new MutationObserver(recall);
    watch.observe(document, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", () => watch.disconnect());
  }
} catch { /* it fits again */ }
