"""Analyses: a player thinks a game over, for their own eyes, on the board itself."""

from collections.abc import Sequence

from pbm_holomino.commands.context import Context
from pbm_holomino.commands.previews import shown
from pbm_holomino.commands.queries import read_board
from pbm_holomino.commands.refusals import board_shown, refusal
from pbm_holomino.commands.request import Answer, Request
from pbm_holomino.commands.sampling import sample
from pbm_holomino.errors import Refused
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters.analyses import CHANCE_NEXT, LEFT_OPEN, line_told, to_fields
from pbm_holomino.letters.board_json import json_line, to_json
from pbm_holomino.letters.content import Paragraph
from pbm_holomino.match.analysis import Analysis, analysed
from pbm_holomino.match.board import Match

_THIS_IS = sentence(
    "This is an analysis for your eyes only, of {board} after move {ply}: nothing has "
    "been played."
)
_AT_THE_START = sentence(
    "This is an analysis for your eyes only, of {board} at the start: nothing has been "
    "played."
)


def analyse(request: Request, context: Context) -> Answer:
    """The position after a line, as the player who asks knows it. A refusal shows the
    board as it is. Without a board it is the one in a text."""
    if not request.boards:
        from pbm_holomino.commands import pasted_boards  # few analyses are of them

        return pasted_boards.analyse(request, context)
    match = read_board(request, context.library)
    try:
        return answer(request, context, match, thought(request, match))
    except Refused as error:
        board = board_shown(request, context.people, match, request.userid)
        return refusal(error, board=board)


def thought(request: Request, match: Match) -> Analysis:
    """Where the line of a request leads, on this board. Raises NotFound and BadMove."""
    _, ply = request.boards[0]
    then = match if ply is None else match.after_ply(ply)
    request.allowance.work.read_lines(len(request.words))
    return analysed(then, request.userid, request.words, sample(request))


def answer(
    request: Request,
    context: Context,
    match: Match,
    found: Analysis,
    remarks: Sequence[Sentence] = (),
) -> Answer:
    """The answer that shows an analysis of a board, in the format that is wanted, below
    what else is to be said."""
    if request.format == "json":
        fields = {**to_json(found.match), "analysis": to_fields(found)}
        return Answer(json_line(fields))
    return shown(
        request, context, match, found.match, (*map(Paragraph, remarks), *_told(found))
    )


def _told(found: Analysis) -> Sequence[Paragraph]:
    """What is said above the position: where the line begins, its moves, and what is
    left open."""
    said = _THIS_IS if found.since else _AT_THE_START
    first = Paragraph(said.of(board=found.match.record.name, ply=found.since))
    after = CHANCE_NEXT if found.match.due else LEFT_OPEN
    return (first, *line_told(found), *[Paragraph(after)] * found.is_open)
