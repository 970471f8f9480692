"""What all pages of a server share: its store, its settings, templates and files."""

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.runtime import Context
from markupsafe import Markup

from pbm_holomino import rules
from pbm_holomino.languages import Day, InARow, Moment, decimal
from pbm_holomino.letters import help as pages
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.resident.cache import Recent
from pbm_holomino.resident.report import Rarely, say
from pbm_holomino.server.transaction import Server
from pbm_holomino.store.config import Config
from pbm_holomino.store.ratings import Courses
from pbm_holomino.store.summary import Summary
from pbm_holomino.web import forms, networks, scripts, speech
from pbm_holomino.web.robot_help import Hints
from pbm_holomino.web.sessions import Cookies

MOST_REMEMBERED = 16 << 20  # bytes of pages
Overview = Callable[[Server], Iterable[tuple[str, str]]]
Pieces = tuple[bytes, ...]  # of a page, between which hidden fields go


class Site:
    """The pages of a server. `address` is that of the front page, and `root` its path,
    without a slash at the end; `stamp` changes with each version of the files and
    templates. `overview` is what the owner's page shows of a server: headings, each
    with a text."""

    def __init__(
        self, server: Server, config: Config, overview: Overview = lambda server: ()
    ) -> None:
        self.server = server
        self.library = server.library
        self.config = config
        self.overview = overview
        self.address = config.web.rstrip("/")
        # where strangers may look at boards, and links to them lead
        self.public_address = self.address if config.web_public == "yes" else ""
        self.root = urlsplit(config.web).path.rstrip("/")
        self.title = config.title or "pbm_holomino"
        self.is_secure = config.web.startswith("https://")
        self.ring: Callable[[], None] = lambda: None  # to be called after a move
        self.proxies = networks.Proxies(config.web_proxies)
        self.say = Rarely(lambda words: say(words, "pbm web"))  # to the owner
        self.pages = Recent[Pieces](MOST_REMEMBERED, _size)  # as readers see them
        self.hints = Hints(self.library.store)
        self.courses = Courses(self.library)
        self.cookies = Cookies(self.is_secure)
        static = _files("static")
        self.files = {**static, **scripts.catalogues(static)}
        self.stamp = _stamp(self.files, _files("templates"))
        self.templates = _templates(self.root, self.stamp)

    def path(self, *parts: object) -> str:
        """The path of a page: `/holo/12` for `holo` and 12."""
        return f"{self.root}/{'/'.join(map(str, parts))}"


def _size(pieces: Pieces) -> int:
    """About the bytes that a page takes in memory."""
    return 1000 + sum(map(sys.getsizeof, pieces))


class _Context(Context):
    """Calls functions of templates directly. Jinja first finds out whether they want
    its context, which none of ours does, and that takes longer than most calls."""

    def call(
        self,
        function: Callable[..., Any],
        /,
        *given: Any,
        _block_vars: object = None,
        _loop_vars: object = None,
        **named: Any,
    ) -> Any:
        return function(*given, **named)


class _Environment(Environment):
    context_class = _Context


@cache
def _templates(root: str, stamp: str) -> Environment:
    """The templates of pages below this root, which are compiled once."""
    environment = _Environment(
        loader=PackageLoader("pbm_holomino.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        finalize=speech.spoken,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        root=root,
        stamp=stamp,
        hidden=forms.HIDDEN,
        button=forms.button,
        carried=forms.carried,
        select=forms.select,
        password=PLACEHOLDER,
        decimal=decimal,
        lesson=pages.lesson,
        games={name: rules.load(name).TITLE for name in rules.names()},
        link=speech.link,
        in_a_row=InARow,
        thumbnail=partial(_thumbnail, root),
        positions=_positions,
        day=Day,
        moment=Moment,
    )
    return environment


def _thumbnail(root: str, board: Summary) -> Markup:
    """The picture of a board in a list, at an address that changes with the board; all
    in one, as a page may have hundreds."""
    return Markup(
        f'<img class="thumb" src="{root}/{board.game}/{board.board}/thumbnail?'
        f'{board.ply}-{board.last_change}" alt="" width="84" height="66" '
        'loading="lazy">'
    )


def _positions(here: str, at: int, last: int) -> Markup:
    """Links to the positions of a board before the `last`; one of them may be shown.
    All in one, as there may be hundreds."""
    links = [f'<a href="{here}/{ply}">{ply}</a>' for ply in range(last)]
    if at < last:
        links[at] = f'<a href="{here}/{at}" aria-current="page">{at}</a>'
    return Markup(" ".join(links))


@cache
def _files(folder: str) -> Mapping[str, bytes]:
    """The files of this folder of the package, by name, which are read once."""
    files = (resources.files(__package__) / folder).iterdir()
    return {file.name: file.read_bytes() for file in files if file.is_file()}


def _stamp(*folders: Mapping[str, bytes]) -> str:
    contents = (f[name] for f in folders for name in sorted(f))
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]
