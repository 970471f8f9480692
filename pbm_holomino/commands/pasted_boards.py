"""Analyses of boards and records in texts: a player thinks about any position."""

from collections.abc import Mapping, Sequence

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.queries import for_forum, illustrated
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.sampling import sample
from pbm_holomino.errors import BadMove, NotAllowed
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters import screen
from pbm_holomino.letters.analyses import CHANCE_NEXT, LEFT_OPEN, line_told, to_fields
from pbm_holomino.letters.board_forms import in_form
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.content import Paragraph, content
from pbm_holomino.letters.forums import FORUM_FORMATS
from pbm_holomino.match.analysis import Analysis, analysed
from pbm_holomino.match.pasted_records import PastedRecord, pasted_record
from pbm_holomino.match.positions import Position, pasted, with_every_tile
from pbm_holomino.match.trees import is_draw
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import quoted

_THIS_IS = sentence(
    "This is an analysis for your eyes only, of the board in your text: nothing has "
    "been played."
)
# What is not in a picture, and how it was taken
_TAKEN = sentence(
    "A picture does not hold whose turn it is, the options, or what the players hold. "
    "So you move first, and each of you holds every tile that may be left."
)
_TAKEN_WITH_SIDES = sentence(
    "A picture does not hold whose turn it is, the options, what the players hold, or "
    "what is under a tile. So you move first, as {side}, and each of you holds every "
    "tile that may be left."
)
_WITH = sentence("This board is possible only with these options: {options}")
_NOT_NUMBERED = sentence(
    "As no cell has a number there, the cells have other numbers here than in the game."
)
_OTHER = sentence('"{other}" is the other player.')
_NO_TEXT = sentence(
    'Which position? Please name a board before your userid, as in "{game} analyse 12 '
    '{player}", or paste a board as a letter or a page shows it: into the text of the '
    "mail, or after the command in a shell."
)
_NOTHING_DRAWN = sentence(
    "{word} has no meaning on a board that is pasted: nothing is drawn there, as each "
    "player holds every tile that may be left."
)
_OF_RECORD = sentence(
    "This is an analysis for your eyes only, of the record in your text: nothing has "
    "been played, and it does not become a game here."
)
_VERIFIED = sentence(
    "It begins after move {ply} of the record. Its seed fits its seal, its moves and "
    "its draws. That proves no more: not who played, nor that it was played at all."
)
_BOARD_ALONE = sentence(
    "Without its seed, the draws of a record cannot be repeated, so nothing of it is "
    "proved and only its board is taken. You move first, in place of {player}, and "
    "each of you holds every tile that may be left."
)
_LACKING = ("board", "seal", "rated", "match", "clocks")  # in JSON, as it is no board


class Thought(NamedTuple):
    """Where a line leads from a position in a text, what is said of how that was taken,
    and the same for programs."""

    found: Analysis
    said: Sequence[Sentence]
    taken: Mapping[str, object]


def analyse(request: Request, context: Context) -> Answer:
    """The position on the board in a text, after a line. Raises BadBoard, BadMove and
    NotAllowed."""
    thought = thought_over(request)
    if request.format == "json":
        return Answer(json_line({**_fields(thought.found), "taken": thought.taken}))
    return _answer(request, thought)


def thought_over(request: Request) -> Thought:
    """The position in the text of a request, after its line. Raises BadBoard, BadMove
    and NotAllowed."""
    if not request.body.strip():
        who = {"game": request.game, "player": request.userid}
        raise NotAllowed(_NO_TEXT.of(**who))
    request.allowance.work.ask_board(True)
    request.allowance.work.read_lines(len(request.words))
    record = pasted_record(request.game, request.body, request.userid)
    if record is not None:
        return _of_record(request, record)
    _check_draws(request)
    position = pasted(request.game, request.body, request.userid)
    words, start = request.words, position.match
    found = analysed(start, request.userid, words, then=with_every_tile)
    options = {"options": dict(position.words), "numbered": position.is_numbered}
    return Thought(found, _taken(position, found), options)


def _of_record(request: Request, record: PastedRecord) -> Thought:
    """The position in a record, after a line. Raises BadMove."""
    words, who = request.words, request.userid
    if record.is_verified:
        found = analysed(record.match, who, words, sample(request))
    else:
        _check_draws(request)
        found = analysed(record.match, who, words, then=with_every_tile)
    return Thought(found, _said_of(record, found), {"verified": record.is_verified})


def _said_of(record: PastedRecord, found: Analysis) -> Sequence[Sentence]:
    """What is said of a record, and what is left open after it."""
    if not record.is_verified:
        other = record.match.record.players[1]
        said = _BOARD_ALONE.of(player=record.place)
        return _OF_RECORD, said, *[_OTHER.of(other=other)] * (len(found.turns) > 1)
    after = [CHANCE_NEXT if found.match.due else LEFT_OPEN] * found.is_open
    return _OF_RECORD, _VERIFIED.of(ply=found.since), *after


def _check_draws(request: Request) -> None:
    """Raises BadMove if a request names draws, or wants them made."""
    words = ["-sample"] if "sample" in request.options else []
    words += filter(is_draw, request.words)
    if words:
        raise BadMove(_NOTHING_DRAWN.of(word=quoted(words[0])))


def _answer(request: Request, thought: Thought) -> Answer:
    """The position in the form that is wanted, below what is said of how it was
    taken."""
    found = thought.found
    remarks = tuple(map(Paragraph, thought.said))
    told = (*remarks[:1], *line_told(found), *remarks[1:])
    if request.format in FORUM_FORMATS:
        shown = content(told, *screen.boards(found.match))
        return Answer.of(for_forum(shown, request.format))
    shown = content(told, *screen.position(found.match, request.userid))
    answer = Answer.of(in_form(shown, request.format))
    return illustrated(answer, request, found.match)


def _taken(position: Position, found: Analysis) -> Sequence[Sentence]:
    """What is said of the position: that it is one, and how it was taken."""
    sides = position.match.rules.SIDES
    taken = _TAKEN_WITH_SIDES.of(side=sides[0]) if sides else _TAKEN
    options = " ".join(f"-{name}={word}" for name, word in position.words.items())
    other = position.match.record.players[1]
    said = [
        taken,
        *[_WITH.of(options=options)] * bool(options),
        *[_NOT_NUMBERED] * (not position.is_numbered),
        *[_OTHER.of(other=other)] * (len(found.turns) > 1),
    ]
    return _THIS_IS, *said


def _fields(found: Analysis) -> dict[str, object]:
    """What programs read: the position, and the line."""
    fields = to_json(found.match)
    told = {name: value for name, value in fields.items() if name not in _LACKING}
    return {**told, "analysis": to_fields(found)}
