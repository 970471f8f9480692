"""A request of a browser, and how views answer it."""

import re
import secrets
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from functools import cached_property, lru_cache, partial
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment
from markupsafe import Markup
from starlette.requests import Request as HttpRequest
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from pbm_holomino import rules
from pbm_holomino.commands.allowance import Allowance
from pbm_holomino.commands.grammar import read
from pbm_holomino.commands.request import Answer, Origin, Request
from pbm_holomino.draw import png
from pbm_holomino.errors import (
    DONE,
    BadCommand,
    NotAllowed,
    NotFound,
    PbmError,
    TooMany,
    TryLater,
    WrongPassword,
)
from pbm_holomino.languages import (
    ENGLISH_CODE,
    InARow,
    Language,
    Text,
    guessed,
    known,
    sentence,
)
from pbm_holomino.match.account import WHY_NO_PLAYERS, Player
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import typed_source
from pbm_holomino.match.tokens import is_same, outdated
from pbm_holomino.resident.report import in_words
from pbm_holomino.store.people import People
from pbm_holomino.store.summary import Summary
from pbm_holomino.web import articles, networks, speech
from pbm_holomino.web.figures import Tiles
from pbm_holomino.web.forms import HIDDEN
from pbm_holomino.web.gate import end_turn
from pbm_holomino.web.packing import packed
from pbm_holomino.web.sessions import SESSION, VISITOR, SignedIn, find, form_token
from pbm_holomino.web.site import Pieces, Site

_ROBOT = sentence("{player} (robot)")
_MOST_FIELDS = 200
_MOST_DIGITS = 9
_SOURCE = "-[0-9a-f]{16}"
_MOST_HEADERS = 1_000


class Visit:
    """One request: `form` holds the fields that were posted."""

    def __init__(self, site: Site, http: HttpRequest, form: Mapping[str, str]) -> None:
        self.site = site
        self.library = site.library
        self.http = http
        self.form = form
        # what the answer waits for, without a thread or a turn
        self.waits_for: Callable[[], Awaitable[object]] | None = None

    # What is asked

    @cached_property
    def game(self) -> str:
        """The game in the path. Raises NotFound."""
        name = self.word("game")
        if name not in rules.names():
            raise NoPage
        return name

    @property
    def board(self) -> int:
        """The board's number in the path. Raises NotFound."""
        return self.number("board")

    def word(self, name: str) -> str:
        """A word in the path."""
        return str(self.http.path_params[name])

    def number(self, name: str) -> int:
        """A number in the path. Raises NotFound."""
        return whole(self.word(name))

    def query(self, name: str) -> str:
        """A parameter behind the question mark; empty where there is none."""
        return self.http.query_params.get(name, "")

    def field(self, name: str) -> str:
        """A field of the form, without blanks round it; empty where there is none."""
        return self.form.get(name, "").strip()

    # Who asks

    @cached_property
    def now(self) -> str:
        return self.site.server.now()

    @cached_property
    def signed_in(self) -> SignedIn | None:
        """Who is signed in, be it only for one turn."""
        cookie = self.site.cookies.read(self.http, SESSION)
        return find(self.library, cookie, self.now) if cookie else None

    @property
    def player(self) -> Player | None:
        """The player who is signed in."""
        signed_in = self.signed_in
        return (
            None if signed_in is None or signed_in.session.letter else signed_in.player
        )

    @cached_property
    def language(self) -> Language:
        """The one that whoever is signed in reads, or that the browser of anybody else
        asks for."""
        if self.signed_in is None:
            asked = self.http.headers.get("Accept-Language", "")
            return known.language(guessed.asked_for(asked) or ENGLISH_CODE)
        return known.language(self.signed_in.player.language_at(self.now))

    def must_be_player(self) -> Player:
        """The player who is signed in. Raises NotSignedIn."""
        if self.player is None:
            raise NotSignedIn
        return self.player

    def reader_of(self, match: Match) -> str | None:
        """The player of a board who is signed in, or has come by the link of a letter
        about the present turn; None for all others."""
        signed_in = self.signed_in
        if signed_in is None or signed_in.player.userid not in match.record.players:
            return None
        userid = signed_in.player.userid
        if not signed_in.session.letter:
            return userid
        game, board, line = signed_in.session.letter.split(".")
        is_here = (game, int(board)) == (match.record.game, match.record.board)
        return userid if is_here and is_fresh(match, int(line), userid) else None

    @property
    def may_look(self) -> bool:
        """Whether the page may be seen where strangers may see none: whoever has come
        by the link of a letter sees its board alone."""
        if self.signed_in is None:
            return False
        letter, path = self.signed_in.session.letter, self.http.path_params
        here = f"{path.get('game')}.{path.get('board')}."
        return not letter or letter.startswith(here)

    @cached_property
    def network(self) -> str:
        """The network from which the request comes."""
        return networks.network_of(self.http, self.site.proxies)

    @cached_property
    def allowance(self) -> Allowance:
        """What a stranger at that network may ask for."""
        counters = self.library.store.counters
        return Allowance.of(self.network, counters, self.now, self.site.config)

    # Forms

    @property
    def source(self) -> str:
        """The form's own id, by which its command counts once. Raises BadCommand."""
        source = self.form.get("source", "")
        if not re.fullmatch(_SOURCE, source):
            raise OldForm
        return source

    @cached_property
    def _cookie(self) -> str:
        """What the forms of this browser are bound to."""
        cookies = self.site.cookies
        if self.signed_in is not None:
            return cookies.read(self.http, SESSION)
        return cookies.read(self.http, VISITOR) or secrets.token_urlsafe(16)

    def _hidden(self) -> bytes:
        """The hidden fields of a form: its own id, and what proves that the page is
        ours."""
        source = typed_source()
        proof = form_token(self.library.key, self._cookie, source)
        fields = (  # of letters, digits and signs that need no escape
            f'<input type="hidden" name="source" value="{source}">'
            f'<input type="hidden" name="token" value="{proof}">'
        )
        return fields.encode()

    def check_form(self) -> None:
        """Raises OldForm for a form that is not from a page for this browser."""
        proof = form_token(self.library.key, self._cookie, self.source)
        if not is_same(proof, self.form.get("token", "")):
            raise OldForm

    # What the server is asked

    def ask(self, command: str, game: str = "", **fields: Any) -> Answer:
        """The answer of the server to a question of a stranger's."""
        return self.site.server.carry_out(Request(command, game, **fields))

    def request(self, userid: str, *words: str, **fields: Any) -> Request:
        """The request of a player who is signed in, from the words of a command with
        PASSWORD in the password's place. Raises BadCommand."""
        _, request = read(words, None, in_shell=False)
        return request._replace(
            userid=userid,
            password="",
            origin=Origin(self.source, is_signed_in=True),
            **fields,
        )

    def run(self, userid: str, *words: str, **fields: Any) -> Answer:
        """Carry out a command of a player who is signed in. Raises Undone if it is
        refused."""
        return self.ask_for(self.request(userid, *words, **fields))

    def ask_for(self, request: Request) -> Answer:
        """The same for a request. Raises Undone."""
        answer = self.site.server.carry_out(request)
        self.site.ring()
        return self.done(answer)

    def done(self, answer: Answer) -> Answer:
        """The answer to a command that was carried out, in the reader's language.
        Raises Undone for a refusal."""
        said = answer.in_language(self.language.tag)
        if said.status != DONE:
            raise Undone(said)
        return said

    def in_lists(self, boards: Iterable[Summary]) -> list[Summary]:
        """Boards as lists show them: without the names of players who have left and do
        not want to be named."""
        return [*People(self.library).in_lists(boards)]

    # How it is answered

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A page made from a template."""
        return self._answer(self._rendered(template, context), status)

    def text(self, template: str, **context: Any) -> bytes:
        """What is made from a template without forms."""
        return b"".join(self._rendered(template, context))

    def _rendered(self, template: str, context: Mapping[str, Any]) -> Pieces:
        """A page in pieces, between which the hidden fields of each form go."""
        loaded = self.site.templates.get_template(template)
        shared = {
            "player": self.player,
            "language": self.language,
            "say": partial(speech.say, self.language),
            "say_number": partial(speech.say_number, self.language),
            "linked": self._linked,
            "header": self._header,
            "is_robot": self.library.is_robot,
            "names": self._names,
            "title_of_site": self.site.title,
            "has_png": png.is_possible,
            "public_address": self.site.public_address,
            "no_new_players": WHY_NO_PLAYERS.get(self.site.config.signups, ""),
        }
        rendered = loaded.render(shared, **context)
        return tuple(rendered.encode("utf-8", "replace").split(HIDDEN.encode()))

    def _header(self) -> Markup:
        """What is at the top of every page for this reader."""
        userid = self.player.userid if self.player else ""
        return _header(self.site.templates, self.site.title, self.language, userid)

    def _linked(self, said: Text, tiles: Tiles | None = None) -> Markup:
        """Sentences in which each help page that they mention is a link, and each of
        these tiles is drawn."""
        marked = tiles.marked(said) if tiles else said
        linked = articles.sentences(self.language.say(marked), self.site.root)
        return tiles.put(linked) if tiles else linked

    def _names(self, players: Iterable[str]) -> InARow:
        """Players in a list, each robot marked as one."""
        is_robot = self.library.is_robot
        return InARow(_ROBOT.of(player=p) if is_robot(p) else p for p in players)

    def _answer(self, pieces: Pieces, status: int = 200) -> Response:
        first, *rest = pieces
        filled = [first, *(b"%b%b" % (self._hidden(), piece) for piece in rest)]
        response = HTMLResponse(b"".join(filled), status)
        if self.signed_in is not None or rest:
            response.headers["Cache-Control"] = "no-store"
        if self.signed_in is None:
            response.headers.add_vary_header("Accept-Language")
            if rest:
                self.site.cookies.put(response, VISITOR, self._cookie)
        return response

    def known_page(
        self,
        what: Hashable,
        tag: str,
        template: str,
        make: Callable[[], Mapping[str, Any]],
    ) -> Response:
        """A page, which is made only if neither the browser nor this server knows the
        one about `what` with this tag, which changes with all that this reader sees on
        it. `make` gives what the template needs."""
        tag = f'W/"{tag}-{self.language.code}-{self.site.stamp}"'
        has_it = tag in self.http.headers.get("If-None-Match", "")
        if has_it and self.signed_in is None:
            headers = {"ETag": tag, "Vary": "Accept-Language"}
            return Response(status_code=304, headers=headers)
        who = self.signed_in.player.userid if self.signed_in else ""
        key = template, what, tag, who, self.player is not None, self.language.tag
        pieces = self.site.pages.get(key)
        if pieces is None:
            pieces = self._rendered(template, make())
            self.site.pages.put(key, pieces)
        response = self._answer(pieces)
        if self.signed_in is None:
            response.headers["ETag"] = tag
        return response

    def known(
        self, what: Hashable, tag: str, kind: str, make: Callable[[], str]
    ) -> Response:
        """What everybody sees alike, such as a picture, which is made only if neither
        the browser nor this server knows the one about `what` with this tag."""
        tag = f'W/"{tag}-{self.site.stamp}"'
        headers = {"ETag": tag}
        if tag in self.http.headers.get("If-None-Match", ""):
            return Response(status_code=304, headers=headers)
        found = self.site.pages.get((what, tag))
        if found is None:
            found = (make().encode(),)
            self.site.pages.put((what, tag), found)
        return Response(found[0], media_type=kind, headers=headers)

    def redirect(self, *parts: object) -> Response:
        """Lead the browser to another page, which it asks for anew."""
        return RedirectResponse(self.site.path(*parts), 303)

    def error(self, error: PbmError, status: int) -> Response:
        """The page about an error."""
        try:
            is_lost = isinstance(error, NotFound)
            return self.page("error.html", status, said=error.said, is_lost=is_lost)
        except PbmError:  # the store cannot even say who is signed in
            return PlainTextResponse(f"{error}\n", status)


@lru_cache(maxsize=_MOST_HEADERS)
def _header(
    templates: Environment, title: str, language: Language, userid: str
) -> Markup:
    """The top of every page for a player, or for strangers."""
    say = partial(speech.say, language)
    header = templates.get_template("header.html")
    made = header.render(userid=userid, title_of_site=title, language=language, say=say)
    return Markup(made)


def whole(word: str) -> int:
    """A number in an address. Raises NotFound."""
    if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
        raise NoPage
    return int(word)


def is_fresh(match: Match, line: int, reader: str) -> bool:
    """Whether the letter to a player about a line of a board's log still answers the
    present turn."""
    if line >= len(match.record.log):
        return False
    shown = line if line < match.record.began else match.last_told(line)
    return outdated(match, shown, reader) is None


NO_PAGE = sentence("There is no such page here.")


class NoPage(NotFound):
    """A path that leads nowhere."""

    def __init__(self) -> None:
        super().__init__(NO_PAGE)


class NotSignedIn(NotAllowed):
    """A page for players alone."""

    def __init__(self) -> None:
        super().__init__(sentence("Please sign in first."))


class OldForm(BadCommand):
    """A form that is not from a page of ours, or from one that is too old."""

    def __init__(self) -> None:
        super().__init__(
            sentence(
                "This form is too old, or not from these pages: nothing has been done. "
                "Please load the page again."
            )
        )


class Undone(PbmError):
    """A command that was refused, with the answer to it in HTML."""

    def __init__(self, answer: Answer) -> None:
        (first, *_), *_ = answer.content
        super().__init__(first.plain().strip().replace("\n", " "))


View = Callable[[Visit], Response]
Endpoint = Callable[[HttpRequest], Awaitable[Response]]


def endpoint(site: Site, view: View, is_bare: bool = False) -> Endpoint:
    """What answers a request by a view, in a thread. Forms must be from pages of ours,
    but for bare ones."""

    async def answer(http: HttpRequest) -> Response:
        form = _fields(await http.body()) if http.method == "POST" else {}
        visit = Visit(site, http, form)
        response = await in_thread(visit, lambda: answered(view, visit, is_bare))
        if visit.waits_for is not None:
            end_turn(http.scope)
            await visit.waits_for()
        return response

    return answer


async def in_thread(visit: Visit, make: Callable[[], Response]) -> Response:
    """The answer to a visit, made and packed in a thread."""
    accepted = visit.http.headers.get("Accept-Encoding", "")
    return await to_thread(lambda: packed(make(), accepted))


def to_players(view: View) -> View:
    """The view, but only for players where the owner wants it so."""

    def guarded(visit: Visit) -> Response:
        if visit.site.config.web_public == "no" and not visit.may_look:
            raise NotSignedIn
        return view(visit)

    return guarded


def answered(view: View, visit: Visit, is_bare: bool = False) -> Response:
    """What a view answers, or the page about an error."""
    try:
        if visit.http.method == "POST" and not is_bare:
            visit.check_form()
        return view(visit)
    except NotSignedIn:
        return visit.redirect("signin")
    except PbmError as error:
        return visit.error(error, status_of(error))
    except Exception as error:  # a fault of ours, of which only the owner hears
        visit.site.say(in_words(error))
        return visit.error(PbmError(_SORRY), 500)


_SORRY = sentence("Sorry, something is wrong here. Please try again later.")
_STATUSES = (
    (NotFound, 404),
    (TooMany, 429),
    (OldForm, 403),
    (WrongPassword, 403),
    (TryLater, 503),
)


def status_of(error: PbmError) -> int:
    """The HTTP status of the page about an error."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 422)


def _fields(body: bytes) -> Mapping[str, str]:
    """The fields that were posted, each once."""
    try:
        fields = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS
        )
    except ValueError:  # not text, or too many fields
        return {}
    return dict(fields)
