"""The commands that list boards, tell how they were played, and prove their draws."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pbm_holomino import rules
from pbm_holomino.commands.context import Context
from pbm_holomino.commands.params import BOARD_FORMATS
from pbm_holomino.commands.queries import (
    Wanted,
    boards_as_text,
    damage,
    illustrated,
    no_board,
    read_board,
    within,
)
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import Text, together
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.board_list import board_line
from pbm_holomino.letters.content import Paragraph, indented, plain
from pbm_holomino.letters.forums import FORUM_FORMATS, formatted, page_of
from pbm_holomino.match import record, replay
from pbm_holomino.match.account import check_known
from pbm_holomino.match.board import Match
from pbm_holomino.match.record import SHELL
from pbm_holomino.match.verdicts import ended
from pbm_holomino.sentences import fill, listed
from pbm_holomino.store import yaml
from pbm_holomino.store.library import Library

if TYPE_CHECKING:
    from pbm_holomino.store.summary import Summary

_LAST_RESULTS = 20


def games(request: Request, context: Context) -> Answer:
    """A list of boards, one per line."""
    library, which = context.library, request.which or "active"
    listing = library.lists.boards_of(request.words, which, [request.game])
    check_known(request.words, library.knows)
    lines = [board_line(summary).plain() for summary in listing.boards]
    text = within(lines or [_no_game(request, which)], request.allowance.work)
    return Answer(text + damage(listing.damaged, request.format))


def _no_game(request: Request, which: str) -> str:
    """The sentence for an empty list of a game's boards."""
    title = rules.load(request.game).TITLE
    if not request.words:
        return fill(f"No {title} games {_NO_GAME[which]}.")
    whose = listed(request.words, "or")
    return fill(f"{whose} has {no_board(which, 'their', title)}.")


_NO_GAME = {
    "all": "yet",
    "active": "in progress",
    "inactive": "have ended yet",
    "next": "wait for a move",
}


def _ended(summary: "Summary") -> str:
    return fill(
        f"{summary.last_change[:10]}  {summary.name:12} {summary.verdict!s}",
        "",
        " " * 12,
    )


def history(request: Request, context: Context) -> Answer:
    """The record of a board, or the latest results of the game."""
    library = context.library
    if request.boards:
        match = read_board(request, library)
        review = _reviewed(library, match) if match.result else _NO_REVIEW
        answer = Answer(_record(match, review, request, context.web))
        return illustrated(answer, request, match)
    found = library.lists.last_ended(request.game, _LAST_RESULTS)
    if request.format == "json":
        wanted: list[Wanted]
        wanted = [(b.game, b.board, None) for b in reversed(found.boards)]
        return Answer(boards_as_text(request, context, wanted, None, damaged_too=False))
    lines = list(map(_ended, found.boards))
    text = within(lines or [_no_game(request, "inactive")], request.allowance.work)
    text += damage(found.damaged, request.format)
    return Answer(formatted(text, request.format))


class _Reviewed(NamedTuple):
    """What a review says of lines of the log, and the same for programs."""

    comments: Mapping[int, Text] = {}
    fields: Mapping[str, Any] = {}


_NO_REVIEW = _Reviewed()


def _reviewed(library: Library, match: Match) -> _Reviewed:
    """What a robot has said about a game that is over, if anybody has asked it."""
    from pbm_holomino.store import reviews  # most boards are not over

    found = reviews.find(library.store, match)
    if found is None:
        return _NO_REVIEW
    from pbm_holomino.letters import reviews as letters

    comments = {each.line: letters.comment(match, each) for each in found.moves}
    return _Reviewed(comments, {"review": letters.to_json(match, found)})


def _record(match: Match, review: _Reviewed, request: Request, web: str) -> str:
    """A board's record in the format that a request names, with a review's comments."""
    form, work = request.format, request.allowance.work
    if form == "json":
        lines = map(match.public_line, match.moves)
        moves = [f"{line.who} {line.action}" for line in lines]
        fields = {**to_json(match), "moves": moves, **review.fields}
        return work.whole(json_line(fields))
    if form == "yaml":
        return work.whole(yaml.dump(_public_record(match)).decode("utf-8"))
    texts = [plain((screen.title(match),))]
    said = match.said
    for index in range(len(match.record.log)):
        comment = review.comments.get(index, "")
        texts += _told(match, index, comment, said.get(index, ""))
    if match.result is not None:
        texts.append(fill(str(ended(match))))
    is_for_forum = form in FORUM_FORMATS
    seal = Paragraph(screen.seal(match, is_short=is_for_forum))
    texts.append(seal.plain())
    if form in BOARD_FORMATS and (board := plain(in_form(screen.boards(match), form))):
        texts.append(f"\n{board}")
    link = page_of(web, match) if is_for_forum else ""
    return formatted(within(texts, work), form, link)


def _told(match: Match, index: int, comment: Text, said: str) -> Iterator[str]:
    """What a line of the log did, with a robot's comment and what was said with it, if
    there are any."""
    line = match.record.log[index]
    no = "" if line.no is None else str(line.no)
    head = f"{no:>4}  {line.time[:10]} {line.time[11:16]}  "
    events = str(together(screen.sentences(match, match.steps[index].events, None)))
    if index == match.record.began:
        events = f"The game begins. {events}"
    elif not index:
        events = f"{match.record.challenger} opened a challenge to anybody."
    if events:  # what players plan has none
        yield fill(events, head, " " * len(head))
    if comment:
        yield fill(str(comment), " " * len(head))
    if said:
        yield _said(line.who, said, head, first=not events)


def _said(who: str, text: str, head: str, first: bool) -> str:
    """What a player said, in a history: on lines of its own, with its time if it is the
    `first` of what a line of the log brought."""
    margin = " " * len(head)
    says = fill(f"{who} writes:", head if first else margin)
    return says + indented(text, f"{margin}  ")


def _public_record(match: Match) -> dict[str, object]:
    """A copy of the record for anybody, with the seed only after the game is over."""
    seed = {"seed": match.record.seed.hex()} if match.shows_seed else {}
    log = match.public_log()
    lines = [record.format_line(line._replace(source=SHELL)) for line in log.values()]
    texts = match.said
    said = {str(no): texts[i] for no, i in enumerate(log) if i in texts}
    return {
        **record.public_data(match.record),
        **seed,
        "log": lines,
        **({"said": said} if said else {}),
    }


def verify(request: Request, context: Context) -> Answer:
    """Every draw of a finished board, repeated from its seed."""
    match = read_board(request, context.library)
    name = match.record.name
    if not match.shows_seed:
        raise NotAllowed(
            f"{name} is not over yet, and its seed is secret until then. Its seal is "
            f"{match.record.seal}."
        )
    parts = [
        fill(
            f"{name}: no draw was changed. The seal is the SHA-256 of the seed, and "
            "the moves, played again with draws from the seed, lead to the same end."
        ),
        f"Seal: {match.record.seal}\nSeed: {match.record.seed.hex()}\n\n",
        "draw  place  among\n",
    ]
    draws = replay.draws(match.record)
    request.allowance.work.read_lines(sum(len(drawn) for _, drawn in draws))
    for line, drawn in draws:
        parts.append(_draws_for(match, line))
        parts += [f"{no:4}  {place:5}  {size:5}\n" for no, place, size in drawn]
    how = fill(
        "A draw is HMAC-SHA-256 of its number with the seed as key, read as a "
        "big-endian number, modulo the number of things to draw from. The result is "
        "the place, counted from 0, of what is drawn among these things in ascending "
        f"order. {match.rules.DRAWN!s}"
    )
    parts.append(f"\n{how}")
    return Answer(within(parts, request.allowance.work))


def _draws_for(match: Match, index: int | None) -> str:
    """The heading of some draws: the line of the log that caused them, or the seats."""
    if index is None:
        return "The seats:\n"
    line, step = match.record.log[index], match.steps[index]
    heading = {None: "", 0: "The start:"}.get(line.no, f"Move {line.no}:")
    events = str(together(screen.sentences(match, step.events, None)))
    return fill(f"{heading} {events}".strip())
