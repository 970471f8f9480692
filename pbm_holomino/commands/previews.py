"""Previews: boards as they would look after some moves."""

from collections.abc import Sequence
from typing import Any

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import for_forum, illustrated, read_board
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.errors import Refused
from pbm_holomino.languages import Sentence, sentence, together
from pbm_holomino.letters import screen
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.content import Paragraph, Part, content
from pbm_holomino.letters.forums import FORUM_FORMATS, page_of
from pbm_holomino.match import replay
from pbm_holomino.match.board import Match
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import quoted


class _Preview(NamedTuple):
    """A board as it would look after the moves that were read; `ended` says why the
    rest was not read."""

    match: Match
    ended: str = ""

    def to_json(self, start: Match, words: Sequence[str]) -> dict[str, Any]:
        """The board, with the moves that were read and the words that were not."""
        lines = self.match.record.log[len(start.record.log) :]
        read = {"moves": [f"{line.who} {line.action}" for line in lines]}
        unread = {"ended": self.ended, "unread": list(words[len(lines) :])}
        preview = {**read, **(unread if self.ended else {})}
        return {**to_json(self.match), "preview": preview}


_PREVIEW = sentence("This is a preview: nothing has been played.")
_AS_IF = sentence("The first move is judged as if it were your turn.")
_ENDS = {
    "over": sentence("It ends here: the game is over before {move}."),
    "draw": sentence("It ends here: a tile must be drawn before {move}."),
    "server": sentence("It ends here: the server acts before {move}."),
}


def preview(request: Request, context: Context) -> Answer:
    """The board as it would look after some moves; nothing is kept or drawn. A refusal
    shows the board as it is."""
    match, asker = read_board(request, context.library), request.userid or None
    try:
        replay.check_running(match)
        if asker:
            replay.check_player(match, asker)
        previewed = _previewed(match, request.words, request.userid)
    except Refused as error:
        reader = asker if match.result is None else None
        context.people.unname(error, match)
        return refusal(error, board=board_shown(request, context.people, match, reader))
    if request.format == "json":
        return Answer(json_line(previewed.to_json(match, request.words)))
    remark = (Paragraph(_remark(match, previewed, request)),)
    return shown(request, context, match, previewed.match, remark)


def shown(
    request: Request, context: Context, match: Match, then: Match, remarks: Part
) -> Answer:
    """A position of a board that has not been played, below some remarks, in the format
    that is wanted, one for people."""
    asker = request.userid or None
    if request.format in FORUM_FORMATS:
        said = content(remarks, *screen.snapshot(then))
        link = page_of(context.web, match)
        return Answer.of(for_forum(said, request.format, link))
    after = context.people.with_wish(then, asker)
    said = content(remarks, *screen.screen(after, asker))
    said = in_form(said, request.format)
    answer = Answer.of(said, board=Shown(match, asker, said))
    return illustrated(answer, request, then)


def _previewed(match: Match, words: Sequence[str], asker: str) -> _Preview:
    """The preview of these moves, until the game ends or the server must act."""
    for word in words:
        after = None if match.result else replay.preview(match, word, asker)
        if after is None:
            return _Preview(match, "over" if match.result else match.due)
        match = after
    return _Preview(match)


def _remark(start: Match, previewed: _Preview, request: Request) -> Sentence:
    """The sentences above a preview."""
    said = [_PREVIEW]
    lines = previewed.match.record.log[len(start.record.log) :]
    if lines and lines[0].who == request.userid and request.userid not in start.turn:
        said.append(_AS_IF)
    if previewed.ended:
        unread = quoted(request.words[len(lines)])
        said.append(_ENDS[previewed.ended].of(move=unread))
    return together(said)
