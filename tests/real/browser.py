"""A real browser, and what it makes of letters on screens of any width."""

import json
import re
import subprocess
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any, NamedTuple

from tests.needs import find

# Each page in a frame as wide as the screen, which prefers light or dark colours.
_FRAME = (
    '<iframe style="width:{width}px;height:800px;border:0;color-scheme:{scheme}" '
    'srcdoc="{page}"></iframe>'
)
_SCRIPT = r"""
const colour = element => getComputedStyle(element).color;
function behind(element) {
  for (; element; element = element.parentElement) {
    const paint = getComputedStyle(element).backgroundColor;
    if (!/, 0\)$/.test(paint)) return paint;
  }
  return "none";
}
function texts(root) {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}
// How far each glyph is from its place in a grid of equal cells, at most.
function crookedness(picture) {
  const range = picture.ownerDocument.createRange(), glyphs = [];
  let column = 0;
  for (const text of texts(picture)) {
    for (let i = 0; i < text.data.length; i++, column++) {
      if (text.data[i] == "\n") { column = -1; continue; }
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      glyphs.push([column, range.getBoundingClientRect()]);
    }
  }
  const left = Math.min(...glyphs.map(([_, box]) => box.left));
  const [columns, right] = glyphs.reduce(
    ([most, end], [column, box]) =>
      [Math.max(most, column + 1), Math.max(end, box.right)],
    [0, 0]);
  const cell = (right - left) / columns;
  const away = glyphs.map(([column, box]) => Math.abs(box.left - left - column * cell));
  const style = getComputedStyle(picture), size = parseFloat(style.fontSize);
  return {worst: Math.max(...away), glyphs: glyphs.length, size,
          lines: parseFloat(style.lineHeight) / size,
          overflow: picture.scrollWidth - picture.clientWidth};
}
function measured(frame) {
  const page = frame.contentDocument, root = page.scrollingElement;
  const all = selector => [...page.querySelectorAll(selector)];
  const sizes = selector =>
    all(selector).map(link => link.getBoundingClientRect()).map(
      box => [box.width, box.height]);
  const inked = texts(page.body).filter(text => text.data.trim());
  const inks = inked.map(text =>
    colour(text.parentElement) + " on " + behind(text.parentElement));
  return {
    width: frame.contentWindow.innerWidth,
    overflow: root.scrollWidth - frame.contentWindow.innerWidth,
    pictures: all("pre[role=img]").map(crookedness),
    tables: Math.max(0, ...all("table").map(
      table => table.getBoundingClientRect().right)),
    images: all("img").map(image => image.getBoundingClientRect().width),
    buttons: sizes("a.b"),
    links: sizes("a"),
    boards: sizes("[role=img], img").map(([width, height]) => height),
    moves: all("a.b").filter(link => / move /.test(decodeURIComponent(link.href))).map(
      link => link.getBoundingClientRect()).map(box => [box.top, box.bottom]),
    text: Math.min(...inked.map(
      text => parseFloat(getComputedStyle(text.parentElement).fontSize))),
    column: page.querySelector("div").getBoundingClientRect().width,
    inks: [...new Set(inks)],
  };
}
onload = () => {
  const frames = [...document.querySelectorAll("iframe")];
  const result = document.createElement("pre");
  result.id = "measured";
  result.textContent = JSON.stringify(frames.map(measured));
  document.body.replaceChildren(result);
};
"""


class View(NamedTuple):
    """A page on a screen of this width, in CSS pixels, that is `light` or `dark`."""

    page: str
    width: int
    scheme: str


def measure(views: Sequence[View], folder: Path) -> list[dict[str, Any]]:
    """What a browser makes of each view: its sizes, and the colours of its words."""
    frames = "".join(
        _FRAME.format(width=width, scheme=scheme, page=escape(page))
        for page, width, scheme in views
    )
    wrapper = folder / "views.html"
    wrapper.write_text(
        f"<!DOCTYPE html><body>{frames}<script>{_SCRIPT}</script></body>"
    )
    chromium = find("chromium-headless-shell")
    assert chromium is not None
    done = subprocess.run(
        [
            chromium,
            "--no-sandbox",  # root has none
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",  # as on a telephone
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            wrapper.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    found = re.search('<pre id="measured">(.*?)</pre>', done.stdout, re.S)
    assert found, done.stderr
    measured: list[dict[str, Any]] = json.loads(unescape(found[1]))
    assert [(each["width"]) for each in measured] == [view.width for view in views]
    return measured


def contrast(inks: str) -> float:
    """The contrast of `rgb(...) on rgb(...)` as WCAG 2 defines it."""
    darker, lighter = sorted(map(_luminance, inks.split(" on ")))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = map(_linear, re.findall(r"\d+", colour)[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: str) -> float:
    part = int(value) / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
