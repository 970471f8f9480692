"""A board as a person reads it: the screen."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sequence

from pbm_holomino.languages import (
    InARow,
    Listed,
    Moment,
    Opponents,
    Sentence,
    Text,
    as_it_is,
    of_number,
    sentence,
    together,
)
from pbm_holomino.letters.content import (
    LINKED,
    Best,
    Block,
    BoardPage,
    Command,
    Content,
    Heading,
    Moves,
    Paragraph,
    Part,
    Picture,
    Seat,
    Seats,
    Subheading,
    content,
)
from pbm_holomino.letters.how_to_answer import (
    TO_PLAY_IT,
    Ways,
    full_command,
    how_to_send,
)
from pbm_holomino.letters.proposals import MOST, Proposals, Proposed, proposals
from pbm_holomino.match.account import PLACEHOLDER
from pbm_holomino.match.actions import OFFERED, days_of
from pbm_holomino.match.board import SCORE, Match, Step
from pbm_holomino.match.deadlines import forfeit_time
from pbm_holomino.match.queue import Ended, draft, how_ended, queued, tree
from pbm_holomino.match.record import OWNER, Act, Line
from pbm_holomino.match.trees import IF
from pbm_holomino.match.verdicts import GONE, ended
from pbm_holomino.rules.contract import (
    Drawing,
    Event,
    View,
    without_moves,
)
from pbm_holomino.sentences import WIDTH

_SEAL_ENDS = 6  # letters at each end of a seal that is not shown whole

_AFTER_MOVE = sentence("{game}, board {board}, after move {ply}: {players}")
_AT_THE_START = sentence("{game}, board {board}, at the start: {players}")
_ON_NO_BOARD = sentence("{game}, a position of its own")
_OPTIONS = sentence("Options: {options}")
_ENDED_ROUND = sentence("The round that has ended:")
_NEW_ROUND = sentence("The new round:")
_LARGE = sentence("Show me the large board")
_TO_ANSWER = Ways(
    sentence("To answer, reply to this letter with one of these in its first line:"),
    sentence("To answer, send one of these lines with your password:"),
)
_NAMED = sentence("{player} ({more})")
_YOUR_TURN = sentence("It is your turn, {player}.")
WHOSE_TURN = of_number("It is {players}'s turn.", "{players} are to move.")
_SERVER_NEXT = sentence("The server acts next, once this has been played.")
_DRAW_FIRST = sentence("A draw comes first.")
_REPLY_WITH = sentence(
    "Reply to this letter with a move in its first line, such as {move}."
)
_REPLY_NAMING = sentence(
    "Reply to this letter with the name of the board and a move in its first line: "
    '"{move}".'
)
_TO_PLAY_ONE = sentence("To play one of them, send this line with your password:")
_LINES = (  # whole, and with dots; to their player, of one and of several
    (
        sentence("Send a line like this with your password:"),
        sentence(
            "Send a line like this with your password and, for the dots, {kind} as in "
            "the example above:"
        ),
    ),
    (
        sentence("To move, {player} sends a line like this with their password:"),
        sentence(
            "To move, {player} sends a line like this with their password and, for the "
            "dots, their {kind}:"
        ),
    ),
    (
        sentence("To move, each of them sends a line like this with their password:"),
        sentence(
            "To move, each of them sends a line like this with their password and, for "
            "the dots, their {kind}:"
        ),
    ),
)
_EXAMPLES = sentence("You can send one of these, for example:")
_BEST = sentence("The best moves, and what they add:")
_MOST_OF = of_number("{most} of {n} possible move:", "{most} of {n} possible moves:")
_HAS_HAPPENED = sentence("What has happened")
_THE_PLAYERS = sentence("The players")
_HOW_TO_ANSWER = sentence("How to answer")
_THIS_BOARD = sentence("This board")
_QUEUE_ENDED = sentence("Your queue has ended.")
_QUEUE = sentence("Your queue: {moves}")
_TREE_ENDED = sentence("Your answers ahead have ended.")
_TREE_ENDED_AFTER = sentence("Your answers ahead have ended after {moves}.")
_TREE = sentence("Your answers ahead, of which the first line that fits is played:")
_MORE_LINES = of_number("And {n} more line.", "And {n} more lines.")
_MOST_LINES = 20  # that are shown
_SUBMITTED = sentence("You have submitted {move}.")
_SEAL = sentence("Seal: {seal}")
SEED = sentence("Seed: {seed}")
_PROVES = sentence("The seed proves every draw: {command}")


def screen(
    match: Match,
    reader: str | None,
    past: bool = False,
    since: int | None = None,
    by_reply: bool = False,
    *,
    name: str = "",
    asked: Content = (),
    told: Part = (),
    said: Content = (),
) -> Content:
    """Everything that a player needs to choose a move: on the first screen whose turn
    it is, the board and the best moves, and below what they may look for then.

    `reader` is the player it addresses, None for anybody; they answer with a command,
    or `by_reply` to the letter that shows it; where that shows several boards, what
    they write begins with this board's `name` and a blank. A `past` position is shown
    without its possible moves. Everything is reported that happened from line `since`
    of the log on. What is `asked` of the reader besides comes right after the first
    screen, what else is `told` with what has happened, and what others have `said`
    further below.
    """
    view = match.view(reader)
    by_reply = by_reply and reader in match.record.players
    if past:
        view = without_moves(view)
    is_open = match.result is None and not past
    is_to_move = is_open and not match.due and (reader is None or reader in match.turn)
    wants_all = reader in match.wanting_all
    found = proposals(match, view, None if wants_all else MOST) if is_to_move else None
    replying = reader if by_reply else None
    return content(
        _head(match, reader, past),
        *_boards(match, view, _large(match, reader, past) if by_reply else None),
        (*(_best(match, reader, found) if found else ()), BoardPage()),
        _offer(match, reader, by_reply, name) if is_open else (),
        _plans(match, reader, by_reply, name) if is_open else (),
        *asked,
        _under(_HAS_HAPPENED, (*_sentences(latest(match, view, reader, since)), *told)),
        _moves_by_tile(match, reader, view, found) if found else (),
        _under(_THE_PLAYERS, _table(match, view, () if past else match.turn, replying)),
        *said,
        _under(
            _HOW_TO_ANSWER,
            _how_to_answer(match, reader, found, by_reply, name),
        ),
        _under(_THIS_BOARD, _proof(match)),
    )


def snapshot(match: Match, past: bool = False) -> Content:
    """The board as it is shown to people who do not play on it, such as the readers of
    a forum: nothing that only a player in the middle of a turn needs, and the seal by
    its first and last letters."""
    view = without_moves(match.view(None))
    state: Part = ()
    if match.result is not None:
        state = (Paragraph(ending(match)),)
    elif not past:
        state = (Paragraph(_whose_turn(match)),)
    return content(
        title(match),
        *_boards(match, view),
        _sentences(latest(match, view, None, None)),
        _table(match, view, () if past else match.turn, None),
        state,
        (Paragraph(seal(match, is_short=True)),),
    )


def seal(match: Match, is_short: bool = False) -> Sentence:
    """The line that names a seal: the whole, or its ends, to people who can ask for
    the whole."""
    whole = match.record.seal
    short = f"{whole[:_SEAL_ENDS]}...{whole[-_SEAL_ENDS:]}"
    return _SEAL.of(seal=short if is_short else whole)


def boards(match: Match) -> Content:
    """The board as everybody sees it, without its possible moves."""
    return content(*_boards(match, without_moves(match.view(None))))


def sentences(
    match: Match, events: Iterable[Event], reader: str | None
) -> tuple[Sentence, ...]:
    """Events in sentences for a reader: `bob played 123:17.`, `You drew 145.`"""
    players = match.record.players
    return tuple(event.said.to(reader, players[event.seat]) for event in events)


def position(match: Match, reader: str) -> Content:
    """A position that is on no board, as one thinks about it: what can be played there,
    by whichever side, and what the last move did."""
    view = match.view(reader)
    is_open = match.result is None and not match.due
    found = proposals(match, view, MOST) if is_open else None
    happened = sentences(match, match.steps[-1].events, reader)
    return content(
        (Heading(_turn_there(match, reader)),),
        *_boards(match, view),
        _under(_HAS_HAPPENED, _sentences(happened)),
        _moves_by_tile(match, reader, view, found) if found else (),
    )


_OTHER_SIDE = sentence("It is the other player's turn.")


def _turn_there(match: Match, reader: str) -> Sentence:
    """The same as `_state`, where the other player is nobody."""
    is_other = match.result is None and reader not in match.turn
    return _OTHER_SIDE if is_other else _state(match, reader)


def _head(match: Match, reader: str | None, past: bool) -> Part:
    """Whose turn it is, or how the game has ended; and which board this is."""
    if past:
        return (Heading(caption(match)),)
    said = _state(match, reader)
    return Heading(said), Paragraph(caption(match), fine=True)


def _state(match: Match, reader: str | None) -> Sentence:
    if match.result is not None:
        return ending(match)
    whose = _whose_turn(match)
    if match.due == "server" or (reader is not None and reader not in match.turn):
        return whose
    turn = _YOUR_TURN.of(player=reader) if reader else whose
    return together([turn, _DRAW_FIRST]) if match.due else turn


def title(match: Match) -> Part:
    """Which board this is, and its options."""
    return (Heading(caption(match)), *_chosen_options(match))


def caption(match: Match) -> Sentence:
    """Which board this is, after which move, and who plays it."""
    record = match.record
    if not record.board:
        return _ON_NO_BOARD.of(game=match.rules.TITLE)
    said = _AFTER_MOVE if match.ply else _AT_THE_START
    return said.of(
        game=match.rules.TITLE,
        board=record.board,
        ply=match.ply,
        players=Opponents(record.players),
    )


def _chosen_options(match: Match) -> Part:
    chosen = match.record.chosen_options
    return (Paragraph(_OPTIONS.of(options=chosen)),) if chosen else ()


def _boards(match: Match, view: View, large: Command | None = None) -> list[Part]:
    """The picture of the board, after that of the round that has ended."""
    now = _picture(match, view.drawing, large)
    if view.ended is None:
        return [now]
    ended = [(Paragraph(_ENDED_ROUND),), _picture(match, view.ended)]
    return [*ended, (Paragraph(_NEW_ROUND),), now] if now else ended


def _picture(match: Match, drawing: Drawing, large: Command | None = None) -> Part:
    is_empty = not (drawing.faces or drawing.labels)
    return () if is_empty else (Picture(match.picture(drawing), large),)


def _large(match: Match, reader: str | None, past: bool) -> Command | None:
    """The command that shows a reader the board in the large notation."""
    if reader is None or match.previewed:
        return None
    record = match.record
    board = f"{record.board}#{match.ply}" if past else record.board
    words = (record.game, "showas", reader, PLACEHOLDER, board, "-format=text")
    return Command(_LARGE, " ".join(map(str, words)))


def _sentences(said: Sequence[Sentence]) -> Part:
    return (Paragraph(together(said)),) if said else ()


def latest(
    match: Match, view: View, reader: str | None, since: int | None
) -> tuple[Sentence, ...]:
    """What has happened since the reader's own last move, and at least the last move
    that changed the board and all that came after it. Lines without an event do not
    count: what one player sends ahead must not show on the others' screens."""
    log, steps = match.record.log, match.steps
    eventful = [
        index
        for index, step in enumerate(steps)
        if step.events and not _is_told_by_the_verdict(step, log[index])
    ]
    late = eventful
    if since is not None:
        late = eventful[: bisect_left(eventful, since) + 1]
    first = last = len(late) - 1
    if view.drawing.faces and not view.acting:
        least = max(0, last - len(match.record.players))
        while first > least and not _changed_board(match, late[first]):
            first -= 1
    here = reader if reader not in match.gone else None
    own = [i for i in range(last) if log[late[i]].who == here]
    mine = [i for i in own if log[late[i]].action is not Act.EXCUSED]
    if view.acting:  # wishes and chance act for players, who hear of it each time
        mine += [i for i in range(last) if _happened_to(match, late[i], here)]
    first = min(first, max(mine, default=first - 1) + 1, last)
    shown = eventful[max(0, first) :]
    events = [event for index in shown for event in steps[index].events]
    return sentences(match, events, reader)


def _is_told_by_the_verdict(step: Step, line: Line) -> bool:
    """Whether a step ended the game by what a player did, which the verdict says."""
    is_ended = step.result is not None and step.result.reason != SCORE
    return is_ended and line.source != OWNER


def _happened_to(match: Match, index: int, player: str | None) -> bool:
    """Whether a line of the log brought an event about this player."""
    players = match.record.players
    return player in {players[event.seat] for event in match.steps[index].events}


def _changed_board(match: Match, index: int) -> bool:
    """Whether a line of the log put a tile down, or took one back."""
    drawing, steps = match.rules.drawing, match.steps
    before, after = drawing(steps[index - 1].state), drawing(steps[index].state)
    return before._replace(last=()) != after._replace(last=())


def _table(match: Match, view: View, turn: Sequence[str], replying: str | None) -> Part:
    """The table of players, and what a person should know. A player who is `replying`
    can play the moves that are named there."""
    moves = {*view.legal, *view.proposal.moves}
    remarks = [
        Paragraph(text, commands=_moves_named(match, replying, text, moves))
        for text in view.remarks
    ]
    clocks = times_left(match) if turn else ""
    told = [Paragraph(clocks)] if clocks else []
    left = Paragraph(tiles_left(match, view))
    return (seats(match, view, turn), left, *remarks, *told)


def times_left(match: Match) -> Text:
    """How much time players have by their clocks, and until when; empty without
    clocks."""
    clocks = match.steps[-1].clocks
    if clocks is None or match.previewed or match.result is not None:
        return ""
    return together(
        (_RUNS if who in clocks.running else _HAS).of(
            player=who, time=span(bank), when=Moment(forfeit_time(match, who))
        )
        for who, bank in clocks.banks.items()
        if who not in match.gone
    )


_HAS = sentence("{player} has {time} left.")
_RUNS = sentence("{player} began this turn with {time}, and has until {when}.")
_DAYS = of_number("{n} day", "{n} days")
_HOURS = of_number("{n} hour", "{n} hours")
_MINUTES = of_number("{n} minute", "{n} minutes")
_DAYS_AND_HOURS = sentence("{days} and {hours}")
_NO_TIME = sentence("no time")


def span(seconds: int) -> Sentence:
    """A span of time in days and hours, or in minutes where it is less than that."""
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if not minutes:
        return _NO_TIME
    if not hours:
        return _MINUTES.of(n=minutes)
    rest = _HOURS.of(n=hours % 24)
    if not days or hours % 24:
        return _DAYS_AND_HOURS.of(days=_DAYS.of(n=days), hours=rest) if days else rest
    return _DAYS.of(n=days)


def seats(match: Match, view: View, turn: Sequence[str]) -> Seats:
    """The table of players, in which those whose `turn` it is are marked."""
    players = match.record.players
    names = [named(match, seat, _gone(match)) for seat in range(len(players))]
    scoring, rows = match.rules.SCORING, list[Seat]()
    for player, name, score, tiles in zip(
        players, names, view.scores, view.pools, strict=True
    ):
        is_to_move = player in turn
        told = scoring.has(name, score, tiles, is_to_move)
        rows.append(Seat(is_to_move, name, score, tiles, told))
    return Seats(scoring.points, tuple(rows))


def _gone(match: Match) -> Mapping[str, Act]:
    """How players have dropped out, if the verdict does not say so: it does of two
    players, and of a game that was cancelled."""
    is_cancelled = match.result is not None and not match.result.winners
    return match.gone if len(match.record.players) > 2 and not is_cancelled else {}


def named(match: Match, seat: int, gone: Mapping[str, Act] = {}) -> Text:
    """A player with what their tiles are called, and how they have dropped out."""
    player, sides = match.record.players[seat], match.rules.SIDES
    more = [sides[seat]] if sides else []
    more += [GONE[gone[player]]] if player in gone else []
    return _NAMED.of(player=player, more=InARow(more)) if more else player


def tiles_left(match: Match, view: View) -> Sentence:
    """How many tiles nobody has drawn yet."""
    sacks = view.sacks or (view.sack,)
    return together(map(match.rules.LEFT.of, sacks, match.record.players))


def _whose_turn(match: Match) -> Sentence:
    """The sentence that says whose turn it is, or that it is the server's."""
    if match.due == "server":
        return _SERVER_NEXT
    return WHOSE_TURN.of(n=len(match.turn), players=Listed(match.turn))


def _best(match: Match, reader: str | None, found: Proposals) -> Part:
    """The best moves, to be played at once."""
    if match.previewed or not found.best:
        return ()
    lead = _BEST if any(one.gain for one in found.best) else _EXAMPLES
    begun = full_command(match.record, "move", reader or match.turn[0])
    ways = (
        Command(f"{one.move}{_added(one, ' ')}", f"{begun} {one.move}")
        for one in found.best
    )
    return (Best(lead, tuple(ways)),)


def _added(one: Proposed, before: str = "") -> str:
    """What a move adds to the score, `(+4)`, if anything."""
    return f"{before}({one.gain:+})" if one.gain else ""


def _under(heading: Sentence, part: Part) -> Part:
    """A part under a heading, if there is anything in it."""
    return (Subheading(heading), *part) if part else ()


def _moves_by_tile(
    match: Match, reader: str | None, view: View, found: Proposals
) -> Part:
    """`123: 8(+2) 17 22`, a line a tile."""
    heading = view.proposal.heading
    if heading is None:
        return ()
    lead: Text = heading.then if match.previewed else heading.now
    if len(found.moves) < len(view.proposal.moves):
        lead = _MOST_OF.of(most=len(found.moves), n=len(view.legal))
    begun = full_command(match.record, "move", reader or match.turn[0])
    spots: dict[str, list[Command]] = {}
    for one in found.moves:
        plays = "" if match.previewed else f"{begun} {one.move}"
        way = Command(f"{one.spot}{_added(one)}", plays)
        spots.setdefault(one.tile, []).append(way)
    first, *more = (Moves(tile, tuple(ways)) for tile, ways in spots.items())
    return (Subheading(lead), first._replace(told=_Aloud(match)), *more)


def _how_to_answer(
    match: Match,
    reader: str | None,
    found: Proposals | None,
    by_reply: bool,
    name: str,
) -> Part:
    """How to move, if there are moves to propose, and what a reply can do besides."""
    moving: Part = ()
    if found is not None and not match.previewed:
        moving = _how_to_move(match, reader, found, by_reply, name)
    besides = _what_else(match, reader) if by_reply and reader is not None else ()
    return (*moving, *besides)


def _how_to_move(
    match: Match, reader: str | None, found: Proposals, by_reply: bool, name: str
) -> Part:
    """How to send the best of the proposed moves."""
    move = found.best[0].move
    if by_reply or name:
        how = (_REPLY_NAMING if name else _REPLY_WITH).of(move=f"{name}{move}")
        return (Paragraph(how, commands=_moves_named(match, reader, how, {move})),)
    line, kind = _move_line(match, reader, move)
    how = _TO_PLAY_ONE
    if not found.moves:
        whole, dotted = _LINES[min(len(match.turn), 2) if reader is None else 0]
        how = (dotted if kind else whole).of(player=match.turn[0], kind=kind)
    return Paragraph(how), line


def _moves_named(
    match: Match, reader: str | None, said: Sentence, moves: Container[str]
) -> tuple[Command, ...]:
    """The commands that play those of some moves that a sentence names, for a reader
    whose turn it is."""
    if reader is None or reader not in match.turn:
        return ()
    named = dict.fromkeys(re.findall(r"\w+:[\w,]*\w", str(said)))
    found = [move for move in named if move in moves]
    return tuple(
        Command(m, full_command(match.record, "move", reader, m)) for m in found
    )


def _move_line(match: Match, reader: str | None, move: str) -> tuple[Command, str]:
    """The line that plays a move; one that is too long for a line is shown as
    `pairs:...`, and then this is its kind, `pairs`."""
    who = reader or match.turn[0]
    line = Command(full_command(match.record, "move", who, move))
    if len(line.plain()) <= WIDTH + 1:
        return line, ""
    kind = move.partition(":")[0]
    return Command(full_command(match.record, "move", who, f"{kind}:...")), kind


def _offer(match: Match, reader: str | None, by_reply: bool, name: str) -> Part:
    """The open offer, and how to answer it."""
    offer, record, text = match.offer, match.record, offered(match, reader)
    if offer is None or text is None:
        return ()
    if reader is None or reader in (offer.who, *offer.accepted, *match.gone):
        return (Paragraph(text),)
    answers = [
        Command(f"{name}{word}", full_command(record, "move", reader, word))
        for word in ("accept", "reject")
    ]
    return Paragraph(text), *how_to_send(_TO_ANSWER, by_reply or bool(name), *answers)


def offered(match: Match, reader: str | None) -> Sentence | None:
    """The open offer, as a sentence; None if there is none."""
    offer = match.offer
    if offer is None:
        return None
    said = OFFERED[offer.kind].of(days=days_of(offer.days))
    return said.to(reader, offer.who)


def plans(match: Match, reader: str) -> list[Sentence]:
    """What a player has sent ahead, in sentences; nobody else sees this."""
    moves, end = queued(match, reader), how_ended(match, reader)
    said = [together([_ended(end), end.why])] if end else []
    return [
        *said,
        *([_QUEUE.of(moves=" ".join(moves))] if moves else ()),
        *_lines(tree(match, reader)),
    ]


def _ended(end: Ended) -> Sentence:
    if not end.is_tree:
        return _QUEUE_ENDED
    return _TREE_ENDED_AFTER.of(moves=Listed(end.came)) if end.came else _TREE_ENDED


def _lines(lines: Sequence[Sequence[str]]) -> list[Sentence]:
    """Answers ahead, a line each, and how many more there are."""
    shown = [as_it_is(" ".join((IF, *line))) for line in lines[:_MOST_LINES]]
    more = len(lines) - len(shown)
    heading, rest = [_TREE] * bool(shown), [_MORE_LINES.of(n=more)] * bool(more)
    return [*heading, *shown, *rest]


def _plans(match: Match, reader: str | None, by_reply: bool, name: str) -> Part:
    """What the reader has sent ahead; nobody else sees this."""
    if reader is None or match.previewed:
        return ()
    parts: list[Block] = [*map(Paragraph, plans(match, reader))]
    if submitted := draft(match, reader):
        parts.append(Paragraph(_SUBMITTED.of(move=submitted)))
        whole = full_command(match.record, "confirm", reader)
        confirm = Command(f"{name}confirm", whole)
        parts += how_to_send(TO_PLAY_IT, by_reply or bool(name), confirm)
    return tuple(parts)


class _Aloud:
    """What can be played, in sentences. It follows from the board, and tells no two
    letters apart."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Aloud)

    def __call__(self) -> Part:
        from pbm_holomino.letters.aloud import to_play  # few have it read to them

        return tuple(Paragraph(each, "", "  ") for each in to_play(self._match))


def _what_else(match: Match, reader: str) -> Part:
    """What a reply can do besides. Robots do not read what is written to them."""
    record = match.record
    others = Listed(person for person in record.people if person != reader)
    word, linked = "", ["chat"] if others else []
    if match.status == "over":  # who was turned down could not have a rematch
        word = "rematch"
        linked.insert(0, word)
    elif match.result is None and reader not in (*match.turn, *match.gone):
        word = "queue"
    said = []
    if word or others:
        said.append(_REPLIES[word, bool(others)].of(players=others))
    if match.result is not None and match.moves:
        said.append(_REVIEW)
        linked.append("review")
    if not said:
        return ()
    links = (Command("", full_command(record, verb, reader)) for verb in linked)
    linking = (each.of(**LINKED) for each in said)
    return (Paragraph(together(linking), commands=tuple(links)),)


_REVIEW = sentence(
    'To have a robot go through the game with you, {link}reply with "review"{end}.'
)
# What a reply can do, by its word, if it has one, and whether there is anybody to write
# to. The links are to "rematch" and "chat", in this order.
_REPLIES = {
    ("", True): sentence(
        'To write to {players}, {link}reply with "chat"{end} and your words.'
    ),
    ("rematch", False): sentence(
        'For another game, {link}reply with "rematch"{end} in the first line.'
    ),
    ("rematch", True): sentence(
        'For another game, {link}reply with "rematch"{end} in the first line; to write '
        'to {players}, {link}reply with "chat"{end} and your words.'
    ),
    ("queue", False): sentence(
        'To move ahead, reply with "queue" and your moves in the first line.'
    ),
    ("queue", True): sentence(
        'To move ahead, reply with "queue" and your moves in the first line; to write '
        'to {players}, {link}reply with "chat"{end} and your words.'
    ),
}


def ending(match: Match) -> Sentence:
    """How the game ended, and whether it counts."""
    return together((ended(match), *uncounted(match)))


def uncounted(match: Match) -> Sequence[Sentence]:
    """What is said of a game that is over and does not count."""
    does_count = match.status == "over" and match.record.rated
    return () if does_count else (_NOT_COUNTED,)


_NOT_COUNTED = sentence("It does not count in standings and ratings.")


def _proof(match: Match) -> Part:
    """The options, the seal, and once the game is really over the seed."""
    sealed = Paragraph(seal(match), fine=True)
    about = (*_chosen_options(match), sealed)
    if not match.shows_seed:
        return about
    words = f"{match.record.game} verify {match.record.board}"
    seed = Paragraph(SEED.of(seed=match.record.seed.hex()), fine=True)
    command = (Command(words, words),)
    return *about, seed, Paragraph(_PROVES.of(command=words), commands=command)
