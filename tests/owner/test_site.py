"""`pbm help --html FOLDER`: the help as a site in a folder."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pbm_holomino import owner, rules
from pbm_holomino.commands import table
from pbm_holomino.errors import NotAllowed, StoreTrouble
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import help as owners_pages
from pbm_holomino.owner import site
from tests.house import House, mail_of
from tests.processes import run
from tests.web.chromium import SHELL, chromium

__all__ = ["chromium"]
FILES = site.site()
HTML = {name: text for name, text in FILES.items() if name.endswith(".html")}


class Reader(HTMLParser):
    """The links, the anchors and the words of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.links += filter(None, (told.get("href"), told.get("src")))
        self.anchors += filter(None, [told.get("id")])

    def handle_data(self, data: str) -> None:
        self.words += data


READ = {name: Reader(html) for name, html in HTML.items()}


def squeezed(text: str) -> str:
    """A text without blanks, and without the marks of lists."""
    return re.sub(r"(?m)^ *- |\s", "", text)


def test_every_link_leads_somewhere() -> None:
    for name, page in READ.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            if link.startswith(("http", "mailto:")) or (name, file) == (name, ""):
                assert not anchor or anchor in page.anchors, (name, link)
                continue
            assert file in FILES, (name, link)
            assert not anchor or anchor in READ[file].anchors, (name, link)
        assert len({*page.anchors}) == len(page.anchors), name


def test_the_index_leads_to_every_page() -> None:
    assert {*HTML} - {"index.html"} <= {*READ["index.html"].links}
    subjects = {*pages.subjects(), *table.OWNERS_TEXTS, "owner"}
    assert {f"{name}.html" for name in subjects} <= {*HTML}
    assert len(site.WAYS) == 6


def test_a_page_says_what_it_says_elsewhere() -> None:
    told = {name: pages.page(name) for name in pages.subjects()}
    told |= {name: owners_pages.page(name) for name in table.OWNERS_TEXTS}
    for name, text in told.items():
        found = squeezed(READ[f"{name}.html"].words)
        for paragraph in re.split(r"\n{2,}", text.partition("\n\n")[2]):
            is_figure = name in rules.names() and paragraph.startswith("  ")
            if paragraph[0].isdigit():  # steps, which the page numbers
                paragraph = re.sub(r"(?m)^\d\. ", "", paragraph)
            assert is_figure or squeezed(paragraph) in found, (name, paragraph)


def test_figures_are_pictures() -> None:
    for game in rules.names():
        figures = [p for p in pages.illustrated(game) if not isinstance(p, str)]
        assert HTML[f"{game}.html"].count("<svg") == len(figures) > 0


def test_options_in_prose_are_code() -> None:
    """Otherwise a line may break after their dash."""
    for name, html in HTML.items():
        prose = re.sub(r"(?s)<(pre|code|svg|script)\b.*?</\1>", "", html)
        words = re.sub(r"<[^>]*>", "", prose)
        assert re.findall(r"(?<![^\s\"(\[])--?[a-z]\w*", words) == [], name
    assert "<code>-non_unique</code>" in HTML["holo.html"]
    assert "<code>--repair</code>" in HTML["owner.html"]


def test_the_owners_commands_and_the_settings_have_pages() -> None:
    for command in table.owners().values():
        assert command.usage() in READ["owner.html"].words
    assert "address: pbm@localhost" in READ["config.html"].words


def test_it_is_written_again_over_itself_and_over_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "site"
    for _ in range(2):
        answer = owner.run(["help", "--html", str(folder)])
        assert answer.status == 0
        assert str(folder / "index.html") in answer.text
        assert {path.name for path in folder.iterdir()} == {*FILES}
    (tmp_path / "thesis.html").touch()
    for index in (None, "", "<meta name='generator' content='Word'>", "\xff"):
        if index is not None:
            (tmp_path / "index.html").write_text(index, "latin-1")
        with pytest.raises(NotAllowed, match="has other files"):
            owner.run(["help", f"--html={tmp_path}"])
    with pytest.raises(StoreTrouble, match="cannot be written: Not a directory"):
        owner.run(["help", "-html", str(folder / "index.html" / "x")])


def test_it_is_typed_in_a_shell(tmp_path: Path) -> None:
    done = run(tmp_path / "games", "pbm", "help", "--html", str(tmp_path / "site"))
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "site/search.js").is_file()
    assert not (tmp_path / "games").exists()


def test_nobody_writes_files_by_mail(house: House, tmp_path: Path) -> None:
    for subject, body in (
        (f"help --html {tmp_path}/site", ""),
        (f"help move --html={tmp_path}/site", ""),
        ("multiple", f"help -html {tmp_path}/site\n"),
    ):
        (letter,) = house.mail(mail_of(subject, body=body))
        assert "Only the owner of the server can have files written" in str(letter)
    assert not (tmp_path / "site").exists()


@pytest.mark.needs(SHELL)
def test_a_search_finds_pages_by_their_words(tmp_path: Path, chromium: Browser) -> None:
    owner.run(["help", "--html", str(tmp_path / "site")])
    page = chromium.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(f"file://{tmp_path}/site/index.html")
    page.get_by_label("Search").fill("Deadlines CALENDAR")
    expect(page.locator("#found p")).to_have_text("0 pages")
    page.get_by_label("Search").fill("player UNBLOCK")
    first = page.locator("#found li a").first
    expect(first).to_have_attribute("href", "unblock.html")
    first.click()
    expect(page.locator("h1")).to_have_text("unblock: end a block")
    page.close()
    assert faults == []


@pytest.mark.needs(SHELL)
def test_a_telephone_has_room_for_the_page(tmp_path: Path, chromium: Browser) -> None:
    """The header is one line, nothing is wider than the window, no option is broken,
    and a line that goes on beyond the edge ends in a shadow."""
    owner.run(["help", "--html", str(tmp_path / "site")])
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    for name in ("owner", "holo", "delivery"):
        page.goto(f"file://{tmp_path}/site/{name}.html")
        assert page.evaluate("document.querySelector('header').offsetHeight") < 60
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        lines = "[...document.querySelectorAll('code')].map(c => c.getClientRects())"
        assert page.evaluate(f"{lines}.every(rects => rects.length === 1)")
    shade = "getComputedStyle(document.querySelector('pre')).backgroundAttachment"
    assert page.evaluate(shade).split(", ")[:3] == ["local", "local", "scroll"]
    page.close()
