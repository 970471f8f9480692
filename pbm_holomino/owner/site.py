"""`pbm help --html FOLDER`: all pages of the help as a site in a folder, which needs no
server: an index by who one is, a search, and the figures as pictures."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from string import Template

from pbm_holomino import __version__, rules
from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed, StoreTrouble
from pbm_holomino.extras import needed
from pbm_holomino.letters import help as players_pages
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import help as owners_pages
from pbm_holomino.owner import man_pages
from pbm_holomino.rules.contract import Drawing
from pbm_holomino.sentences import fill

_SETTINGS = "config"
_COMMANDS = table.OWNERS_PAGE
# Who one is, and the pages to read then, the first ones first.
WAYS = {
    "I want to play": (
        *("tutorial", "commands", *rules.names(), "robots", "challenge", "move"),
        *("show", "letters", "list", "tournament", "help"),
    ),
    "I was sent a letter": (
        *("reply", "letters", "accept", "decline", "forgot", "block", "unsubscribe"),
        "tutorial",
    ),
    "I run a server": (
        *("mailbox", "delivery", _COMMANDS, _SETTINGS, "store", "backup", "status"),
        *("watching", "pages", "deliverability", "shell", "postgresql", "machines"),
        *("containers", "upgrading"),
    ),
    "I write a program": ("json", "record", "verify", "status", "watching", "stable"),
    "I package this": (
        *("stable", "upgrading", _COMMANDS, _SETTINGS, "delivery", "store", "status"),
        *("watching", "containers"),
    ),
    "Appendix: what was measured": ("capacity", "speed", "spreading"),
}


class Page(NamedTuple):
    """A page: its name, its title, its text, and the same as HTML."""

    name: str
    title: str
    text: str
    body: str

    @property
    def entry(self) -> str:
        """The page in a list."""
        return f'<li><a href="{self.name}.html">{_escaped(self.title)}</a></li>'


def run(request: Request) -> Answer:
    """Write the site into a folder. Raises NotAllowed for one with other files."""
    folder = os.path.abspath(os.path.expanduser(request.options["html"]))
    files = site()
    try:
        os.makedirs(folder, exist_ok=True)
        _check_is_ours(folder)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise StoreTrouble(f"{folder} cannot be written: {error.strerror}.") from None
    number = sum(name.endswith(".html") for name in files)
    index = os.path.join(folder, "index.html")
    said = f"There are {number} pages now. The first is {index}"
    return Answer(fill(said, whole_words=True))


def _check_is_ours(folder: str) -> None:
    """Raise NotAllowed if a folder has files, and no site of ours."""
    if not os.listdir(folder):
        return
    try:
        with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
            is_ours = '<meta name="generator" content="pbm_holomino">' in file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        is_ours = False
    if not is_ours:
        raise NotAllowed(f"{folder} has other files: please name an empty folder.")


def site() -> dict[str, str]:
    """All files, by name."""
    pages = {page.name: page for page in _pages()}
    texts = [
        {"name": p.name, "title": p.title, "text": " ".join(p.text.split())}
        for p in pages.values()
    ]
    files = {f"{page.name}.html": _whole(page) for page in pages.values()}
    files["index.html"] = _whole(_index(pages))
    files["texts.js"] = f"const texts = {json.dumps(texts, indent=0)};\n"
    for name in ("search.js", "pages.css"):
        files[name] = _file("pages", name)
    style = resources.files("pbm_holomino.web") / "static" / "style.css"
    files["style.css"] = style.read_text("utf-8")
    return files


def _file(*path: str) -> str:
    return resources.files(__package__).joinpath(*path).read_text("utf-8")


def _whole(page: Page) -> str:
    """A page with all that is around it."""
    ways = (
        f'<a class="way" href="index.html#{_anchor(way)}">{way}</a>'
        for way in [*WAYS][:-1]
    )
    return Template(_file("pages", "page.html")).substitute(
        title=_escaped(page.title),
        ways="\n".join(ways),
        body=page.body,
        version=__version__,
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _anchor(words: str) -> str:
    return re.sub("[^a-z]+", "-", words.lower()).strip("-")


def _index(pages: dict[str, Page]) -> Page:
    """The first page."""
    parts = []
    for way, names in WAYS.items():
        entries = "\n".join(pages[name].entry for name in names)
        heading = f'<h2 id="{_anchor(way)}">{way}</h2>'
        parts.append(f'{heading}\n<ul class="pages">\n{entries}\n</ul>')
    entries = "\n".join(pages[name].entry for name in sorted(pages))
    parts.append(f'<h2 id="all">All pages</h2>\n<ul class="pages">\n{entries}\n</ul>')
    return Page("index", "Play hexagonal tile games by mail", "", "\n".join(parts))


# The pages


def _pages() -> Iterator[Page]:
    for name in players_pages.subjects():
        first, *others = players_pages.illustrated(name)
        assert isinstance(first, str)
        title, text = _titled(name, first)
        yield _page(name, title, [text, *others], players_pages.page(name))
    for name in table.OWNERS_TEXTS:
        title, text = _titled(name, owners_pages.page(name))
        yield _page(name, title, [text], text)
    yield _listed(_COMMANDS, "The owner's commands", _commands())
    yield _listed(_SETTINGS, "config.yaml: the settings", man_pages.settings())


def _commands() -> dict[str, str]:
    """The owner's commands as they are written, and what each does."""
    about = owners_pages.commands()
    return {
        command.usage(): about[name].text for name, command in table.owners().items()
    }


def _listed(name: str, title: str, things: Mapping[str, str]) -> Page:
    """A page of things, and what there is to say about each."""
    from pbm_holomino.web.articles import sentences

    items = (
        f"<dt>{sentences(thing, '')}</dt><dd>{sentences(told, '')}</dd>"
        for thing, told in things.items()
    )
    about = {
        _COMMANDS: "Type them on the server: they do not come by mail.",
        _SETTINGS: man_pages.about_settings(),
    }[name]
    body = "\n".join((f"<p>{_escaped(about)}</p>", "<dl>", *items, "</dl>"))
    text = "\n".join((about, *map(" ".join, things.items())))
    return Page(name, title, text, f"<article>\n{_linked(body)}\n</article>")


def _titled(name: str, text: str) -> tuple[str, str]:
    """The title of a page, and the text below it."""
    title, _, rest = text.partition("\n\n")
    if "\n" in title:  # a page without a title of its own
        return "All commands" if name == "commands" else name, text
    game = title.removeprefix("Help for the game of ")
    return title if game == title else f"{game}: the rules, and how to play", rest


def _page(name: str, title: str, pieces: Sequence[str | Drawing], text: str) -> Page:
    """A page of these texts, with figures between them. Raises NotAllowed if what
    writes HTML is not installed."""
    what = "This needs what the pages of a server need. Please install it."
    with needed("web", what):
        from pbm_holomino.web import articles
    html = str(articles.page(pieces, ""))
    headings = re.findall("<h2>(.*?)</h2>", html)
    html = re.sub(
        "<h2>(.*?)</h2>", lambda h: f'<h2 id="{_anchor(h[1])}">{h[1]}</h2>', html
    )
    here = " &middot; ".join(f'<a href="#{_anchor(h)}">{h}</a>' for h in headings)
    contents = f'<p class="here">{here}</p>\n' if len(headings) > 2 else ""
    body = f"{contents}<article>\n{_linked(html)}\n</article>"
    return Page(name, title, text, body)


_LINK = re.compile(r'href="/help/([a-z]+)"')
_MENTION = re.compile(r"\bpbm help ([a-z]+)|\b([a-z]+) help\b(?![^<]*</a>)")


def _linked(html: str) -> str:
    """A page whose mentions of others are links to them."""
    names = {*players_pages.subjects(), *table.OWNERS_TEXTS, _COMMANDS}

    def mention(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name not in names:
            return match[0]
        return f'<a href="{name}.html">{match[0]}</a>'

    return _LINK.sub(r'href="\1.html"', _MENTION.sub(mention, html))
