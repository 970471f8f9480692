"""What the pages look like: scenes in light and dark, on a phone and on a desk.

The pictures are in screens/, where people have looked at them; a page that looks
different fails. The scenes of a game begin with its name. PBM_SCREENS names a folder
that gets the pictures as they are now, to be looked at and put there. Without --full,
two scenes of each game are compared; `-k` with the name of a scene has that one
compared with --full.
"""

import base64
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from pbm_holomino.rules import names
from tests import sizes
from tests.boards import ANY
from tests.house import House
from tests.languages.alone import english_alone
from tests.web.chromium import (
    CHOSEN,
    MARKS,
    SHELL,
    SPOT,
    TILE,
    TIMEOUT,
    YES,
    Clicks,
    Place,
    launched,
    place,
)

__all__ = ["place"]
pytestmark = MARKS

SCREENS = Path(__file__).parent / "screens"
FONTS = Path(__file__).parent / "fonts"
SHAPES: dict[str, ViewportSize] = {
    "360": {"width": 360, "height": 740},
    "1280": {"width": 1280, "height": 800},
}
LOOKS = [f"{scheme}-{width}" for scheme in ("light", "dark") for width in SHAPES]
_MOST = 0.001  # the share of pixels that may be of another colour
_FONTS_ALONE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>{fonts}</dir>
<cachedir>{cache}</cachedir>
<match target="pattern">
<test name="family" compare="not_eq"><string>monospace</string></test>
<edit name="family" mode="append" binding="weak"><string>DejaVu Sans</string></edit>
</match>
<alias><family>monospace</family>
<prefer><family>DejaVu Sans Mono</family></prefer></alias>
<alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
<alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
"""


class Boards(NamedTuple):
    """The numbers of a game's boards: one where it is alice's turn, one that is over,
    one where it is bob's, and one that has just begun, where it is alice's again."""

    running: int
    over: int
    waiting: int
    begun: int


@pytest.fixture(scope="module", autouse=True)
def no_other_language() -> Iterator[None]:
    """The settings name each that there is."""
    with english_alone():
        yield


@pytest.fixture(scope="module")
def boards(place: Place) -> dict[str, Boards]:
    """For each game, the same boards each time."""
    return {game: _boards_of(place, game) for game in names()}


def _boards_of(place: Place, game: str) -> Boards:
    place.seeds.given = sum(map(ord, game)) % 200  # whatever other games there are
    running, over, waiting, begun = (place.challenge(game) for _ in range(4))
    _play(place.house, game, running, "alice", 8)
    _play(place.house, game, waiting, "bob", 8)
    _play(place.house, game, over, "alice", 5)
    _play(place.house, game, begun, "alice", 2)
    words = f"{game} resign {over} bob {{bob}}"
    assert place.house.type(words).status == 0
    return Boards(running, over, waiting, begun)


def _play(house: House, game: str, number: int, until: str, least: int) -> None:
    """Play until it is a player's turn, after so many moves at least."""
    while (match := house.library.match(game, number)).turn[0] != until or (
        match.ply < least
    ):
        view = match.view(None)
        move = ANY.get(view.phase)
        move = move or view.legal[len(view.legal) // 2]
        who = match.turn[0]
        line = f"{game} move {number} {who} {{{who}}} {move}"
        assert house.type(line).status == 0


class Pages(NamedTuple):
    """Pages in which a player has signed in, by their looks; and one that may look at
    pictures, which ours forbid."""

    looks: dict[str, Page]
    judge: Page


@pytest.fixture(scope="module")
def pages(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """A page for each look, in which alice has signed in, and the one that compares."""
    folder = tmp_path_factory.mktemp("fontconfig")
    config = folder / "fonts.conf"
    config.write_text(_FONTS_ALONE.format(fonts=FONTS, cache=folder))
    alike = ("--font-render-hinting=none", "--disable-lcd-text")
    surroundings = {**os.environ, "FONTCONFIG_FILE": str(config)}
    with launched(SHELL, *alike, env=surroundings) as browser:
        looks = {look: _signed_in(browser, place, look) for look in LOOKS}
        yield Pages(looks, browser.new_page())


def _signed_in(browser: Browser, place: Place, look: str) -> Page:
    scheme, width = look.split("-")
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport=SHAPES[width],
        reduced_motion="reduce",
    )
    context.add_init_script("sessionStorage.clear()")  # each board is seen anew
    place.sign_in(context, "alice")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    return page


# The scenes

Scene = Callable[[Page, str, dict[str, Boards]], None]


def _path(path: str) -> Scene:
    """A page as it is when it comes."""

    def show(page: Page, address: str, boards: dict[str, Boards]) -> None:
        page.goto(address + path)

    return show


def _turn(game: str) -> Scene:
    """A player's turn, with a tile chosen, or letters."""

    def show(page: Page, address: str, boards: dict[str, Boards]) -> None:
        page.goto(f"{address}/{game}/{boards[game].running}")
        Clicks(page).press(TILE)
        page.locator(".place").first.wait_for()
        _settle(page)

    return show


def _over(game: str) -> Scene:
    def show(page: Page, address: str, boards: dict[str, Boards]) -> None:
        page.goto(f"{address}/{game}/{boards[game].over}")

    return show


def _welcome(page: Page, address: str, boards: dict[str, Boards]) -> None:
    """The front page, as strangers see it."""
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.goto(address)
    page.context.clear_cookies()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]


def _past(page: Page, address: str, boards: dict[str, Boards]) -> None:
    page.goto(f"{address}/hextol/{boards['hextol'].over}/3")


def _preview(page: Page, address: str, boards: dict[str, Boards]) -> None:
    """A move that is looked at before it is played."""
    _turn("holo")(page, address, boards)
    Clicks(page).press(SPOT)
    page.locator(YES).wait_for()
    _settle(page)


def _ahead(page: Page, address: str, boards: dict[str, Boards]) -> None:
    page.goto(f"{address}/hextol/{boards['hextol'].waiting}")
    page.get_by_text("Move ahead").click()
    page.get_by_role("button", name="Lay them out on the board").click()
    Clicks(page).press(TILE)
    Clicks(page).press(SPOT)
    page.get_by_role("button", name="Plan one more").click()
    expect(page.locator(CHOSEN)).to_have_count(0)
    page.locator("figure.board").scroll_into_view_if_needed()
    _settle(page)


def _pairs(page: Page, address: str, boards: dict[str, Boards]) -> None:
    page.goto(f"{address}/walomino/{boards['walomino'].begun}")
    for _ in range(3):
        Clicks(page).press("[aria-label='Your tiles'] button")
        Clicks(page).press("[aria-label='Your tiles'] button", last=True)
    _settle(page)


def _settle(page: Page) -> None:
    """No cursor is over anything."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")


GAMES: dict[str, Scene] = {
    f"{game}-{name}": scene(game)
    for game in names()
    for name, scene in (("turn", _turn), ("over", _over))
}
OTHERS: dict[str, Scene] = {
    "front": _path("/"),
    "welcome": _welcome,
    "commands": _path("/help/move"),
    "settings": _path("/settings"),
    "player": _path("/players/bob"),
    "hextol-game": _path("/hextol"),
    "holo-rules": _path("/help/holo"),
    "walomino-challenge": _path("/challenge/walomino"),
    "holo-standings": _path("/holo/standings"),
    "hextol-past": _past,
    "holo-preview": _preview,
    "holo-lesson": _path("/learn/holo/2"),
    "hextol-ahead": _ahead,
    "walomino-pairs": _pairs,
}
SCENES = GAMES | {
    name: scene
    for name, scene in OTHERS.items()
    if "-" not in name or name.partition("-")[0] in names()
}


# Those who confuse colours, by what they lack, and those who need strong contrast
EYES = ("protanopia", "deuteranopia", "tritanopia", "contrast")
COLOURFUL = "walomino-turn"


def test_each_scene_has_its_pictures_and_there_are_no_others() -> None:
    found = {file.name for file in SCREENS.iterdir()}
    shown = {f"{scene}-{look}.webp" for scene in SCENES for look in LOOKS}
    assert found == shown | {f"{COLOURFUL}-{eyes}.webp" for eyes in EYES}


@pytest.mark.parametrize("scene", [*SCENES] if sizes.full else [*GAMES])
def test_a_scene_looks_as_it_did(
    place: Place, boards: dict[str, Boards], pages: Pages, scene: str
) -> None:
    shares = {}
    for look, page in pages.looks.items():
        SCENES[scene](page, place.address, boards)
        shares[look] = _compared(pages, page, f"{scene}-{look}")
    assert {look: share for look, share in shares.items() if share > _MOST} == {}


@pytest.mark.parametrize("eyes", EYES if sizes.full else EYES[:1])
def test_a_scene_looks_as_it_did_to_other_eyes(
    place: Place, boards: dict[str, Boards], pages: Pages, eyes: str
) -> None:
    page = pages.looks["light-1280"]
    SCENES[COLOURFUL](page, place.address, boards)
    sight = page.context.new_cdp_session(page)
    if eyes == "contrast":
        page.evaluate("document.documentElement.dataset.tiles = 'contrast'")
    else:
        sight.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
    share = _compared(pages, page, f"{COLOURFUL}-{eyes}")
    sight.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    assert share <= _MOST


# Comparing: the browser reads the pictures


def _compared(pages: Pages, page: Page, name: str) -> float:
    """The share of pixels of a page that look otherwise than in its picture; none where
    the picture is made."""
    if page.locator("[data-waits]").count():
        page.locator(".waits a").wait_for()  # which comes a little later
    page.wait_for_load_state("networkidle")  # pictures
    picture = page.screenshot(animations="disabled")
    if "PBM_SCREENS" not in os.environ:
        return _difference(pages.judge, name, picture)
    _keep(pages.judge, name, picture)
    return 0


_CANVAS = """
async (kind, data) => {
    const found = await fetch(`data:image/${kind};base64,${data}`);
    const image = await createImageBitmap(await found.blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const drawn = canvas.getContext("2d", { willReadFrequently: true });
    drawn.drawImage(image, 0, 0);
    return [canvas, drawn.getImageData(0, 0, image.width, image.height).data];
}
"""
_COMPARE = f"""async ([was, is]) => {{
    const read = {_CANVAS};
    const [[, before], [, now]] = [await read("webp", was), await read("png", is)];
    if (before.length !== now.length) return 1;
    let others = 0;
    for (let at = 0; at < now.length; at += 4) {{
        const far = (one) => Math.abs(before[at + one] - now[at + one]) > 80;
        others += far(0) || far(1) || far(2);
    }}
    return others / (now.length / 4);
}}"""
_PACK = f"""async (png) => {{
    const [canvas] = await ({_CANVAS})("png", png);
    const blob = await canvas.convertToBlob({{ type: "image/webp", quality: 0.4 }});
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}}"""


def _difference(judge: Page, name: str, picture: bytes) -> float:
    """The share of pixels whose colour is not nearly that of the picture kept."""
    kept = (SCREENS / f"{name}.webp").read_bytes()
    given = [base64.b64encode(each).decode() for each in (kept, picture)]
    share = judge.evaluate(_COMPARE, given)
    assert isinstance(share, float | int)
    return share


def _keep(judge: Page, name: str, picture: bytes) -> None:
    """Put a picture into the folder of those to be looked at, also packed."""
    folder = Path(os.environ["PBM_SCREENS"])
    (folder / f"{name}.png").write_bytes(picture)
    packed = judge.evaluate(_PACK, base64.b64encode(picture).decode())
    (folder / f"{name}.webp").write_bytes(base64.b64decode(packed))
