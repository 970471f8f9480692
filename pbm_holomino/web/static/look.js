// How the pages look, as somebody has chosen in this browser. This comes before the page
// is drawn, so that nothing is drawn twice.
for (const what of ["theme", "tiles", "numbers", "moves"]) {
  try {
    const chosen = localStorage.getItem(`pbm-${what}`);
    if (chosen) document.documentElement.dataset[what] = chosen;
  } catch { /* a browser may keep nothing */ }
}
