"""What is said about replies to letters in which no command could be read, and about
those that come from somebody else."""

from collections.abc import Sequence

from pbm_holomino import rules
from pbm_holomino.errors import BadMove
from pbm_holomino.languages import (
    Either,
    Listed,
    Sentence,
    Text,
    sentence,
    together,
)
from pbm_holomino.letters.content import (
    Command,
    Content,
    Linked,
    Paragraph,
    Part,
    content,
)
from pbm_holomino.letters.how_to_answer import full_command, where_it_fits
from pbm_holomino.match.account import PLACEHOLDER, Player
from pbm_holomino.match.board import Match
from pbm_holomino.sentences import quoted
from pbm_holomino.store.summary import Summary

SUBJECT = sentence("{board}: your reply")
# To the reader of a letter that is about no board in particular
NOT_ABOUT_ONE_BOARD = sentence(
    "I cannot read a command in the first line of your reply, as the letter that you "
    "answered is not about one board."
)


_NO_COMMAND = sentence(
    "I cannot read a command in the first line of your reply, so nothing has been done."
)
_CAN_BE = sentence("It can be one of these: {commands}.")
_CAN_BE_A_MOVE = sentence(
    "It can be a move such as {move}, or one of these: {commands}."
)
_QUEUE = sentence("queue and moves")
_TO_WRITE = sentence(
    'To write to the other players, put "chat" into the first line and your words '
    "below it."
)


_STRANGE = sentence("{word} is not a move or a command.")
_IMPOSSIBLE = sentence("{move} is not possible.")
_THIS = sentence(
    "I am not sure whether you want this, so nothing has been done. If you do, reply "
    "with it alone in the first line:"
)
_ONE_OF_THESE = sentence(
    "I am not sure which of these you want, so nothing has been done. Please reply "
    "with one of them alone in the first line:"
)
_OWN_VERBS = ("accept", "decline", "rematch", "resign")  # others come after "move"


def no_command(
    match: Match, reader: str, offers: Sequence[str] = (), strange: str = ""
) -> Part:
    """To the reader of the letter: the reply is no command, or may be one of those that
    it `offers`. A word that is `strange` may be quoted."""
    can = _can(match, reader)
    moves = match.view(reader).proposal.moves if reader in match.turn else ()
    done = [
        word
        for word in offers
        if (word in can and word != "queue") or _is_move(match, reader, word)
    ]
    if done:
        links = (Command(word, _whole(match, reader, word)) for word in done)
        return (Paragraph(_ONE_OF_THESE if done[1:] else _THIS), *links)
    said = [
        together([_IMPOSSIBLE.of(move=move), fits])
        for move in offers
        if (fits := where_it_fits(match, reader, move))
    ]
    said += [_STRANGE.of(word=quoted(strange))] if strange else []
    shown = (_QUEUE if word == "queue" else word for word in can)
    asking: tuple[Text, ...] = ("show", "help")
    is_asked = reader in match.record.unanswered
    named = Either((*shown, *asking) if is_asked else (*asking, *shown))
    can_be = _CAN_BE_A_MOVE.of(move=moves[0]) if moves else _CAN_BE
    whole = together([*said, _NO_COMMAND, can_be.of(commands=named), _TO_WRITE])
    return (Paragraph(whole),)


def _can(match: Match, reader: str) -> list[str]:
    """The commands that change something, and that this player can send."""
    if match.result is not None:
        return ["rematch"] if match.status == "over" else []
    if reader in match.record.unanswered:
        return ["accept", "decline"]
    if reader in match.gone:
        return []
    answers = ["accept", "reject"] if match.offer else []
    return [*answers, "queue", "propose", "undo", "resign"]


def _is_move(match: Match, reader: str, word: str) -> bool:
    """Whether this player can play this move now."""
    move, _, _ = word.partition("#")
    game, state = match.rules, match.state
    if reader not in match.turn or not game.in_notation(move):
        return False
    seat = match.record.players.index(reader)
    try:
        game.play(state, seat, game.parse_move(state, seat, move))
    except BadMove:
        return False
    return True


def _whole(match: Match, reader: str, word: str) -> str:
    """The whole command for a word that a reply can hold."""
    if word in _OWN_VERBS:
        return full_command(match.record, word, reader)
    return full_command(match.record, "move", reader, word)


def from_elsewhere(sender: str) -> Sentence:
    """To the sender of a reply whose address is not one of the letter's reader."""
    return sentence(
        "That reply came from {sender}, which is not an address of the player to whom "
        "the letter was sent: nothing has been done. Please reply from that address.",
        sender=sender,
    )


def about_elsewhere(match: Match, reader: Player, sender: str, is_forged: bool) -> Part:
    """To the reader of a letter: somebody else has replied to it, as it seems."""
    name = match.record.name
    if is_forged:
        forged = sentence(
            "A reply to your letter about {board} said that it came from {sender}, but "
            "the mail server here found that it did not: nothing has been done. If it "
            "was you, reply to this letter from your mailbox there.",
            board=name,
            sender=sender,
        )
        return (Paragraph(forged),)
    came = sentence(
        "A reply to your letter about {board} came from {sender}, which is not one of "
        "your addresses here: nothing has been done. If it was you, reply to this "
        "letter from the address that it was sent to, or add the other address. To add "
        "it, send this line with your password:",
        board=name,
        sender=sender,
    )
    return (Paragraph(came), Command(f"add {reader.userid} {PLACEHOLDER} {sender}"))


def in_each_game(word: str) -> Content:
    """To a player who has sent a word that comes after the name of a game."""
    return content(
        (Paragraph(_AFTER_A_GAME), *(Command(f"{g} {word}") for g in rules.names())),
    )


_AFTER_A_GAME = sentence("Each game has its own. To see that of one of them, send")
BY_REPLY = sentence(
    "That can be done in a reply to a letter about a board, so nothing has been done "
    "yet."
)
BY_REPLY_TO_THIS = together(
    [
        BY_REPLY,
        sentence("Please reply to this letter with the same word in the first line."),
    ]
)


def how_to_stop(userid: str, unsubscribe: str) -> Content:
    """To a player who wants to stop something: what they can end, and how; one command
    ends lists and words to everybody."""
    return content(
        (Paragraph(_LISTS_END), Command(unsubscribe)),
        (Paragraph(_A_GAME_ENDS),),
        (
            Paragraph(_ALL_ENDS),
            Command(f"signoff {userid} {PLACEHOLDER}"),
            Command(f"delete {userid} {PLACEHOLDER}"),
        ),
    )


_LISTS_END = sentence(
    "Nothing has been done yet, as you may mean one of these. To get no more daily "
    "lists, and nothing that players write to everybody, send"
)
_A_GAME_ENDS = sentence(
    'To give up a game, reply to a letter about it with "resign" in the first line.'
)
_ALL_ENDS = sentence(
    "To be asked to no new games, or to have your account removed when all your games "
    "are over, send one of these lines with your password:"
)


def which_board(
    boards: Sequence[tuple[Summary, str]], who: str, why: Sentence
) -> Content:
    """To a player who has not said which board they mean: `why` that is asked, and the
    boards where it is their turn, each with the command that shows it."""
    first, _ = boards[0]
    which = sentence("It is your turn on these boards. Which one do you mean?")
    how = sentence(
        "Reply to this letter, with the name of the board before your move: {example}.",
        example=f'"{first.name} MOVE"',
    )
    return content(
        (Paragraph(why),),
        (Paragraph(which),),
        [Linked((_entry(summary, who),), show) for summary, show in boards],
        (Paragraph(how),),
    )


def _entry(summary: Summary, who: str) -> Paragraph:
    """A board in a list of those that wait for a player."""
    said = _AGAINST.of(
        board=f"{rules.load(summary.game).TITLE} {summary.board}",
        players=Listed(name for name in summary.players if name != who),
    )
    return Paragraph(said, "- ", "  ")


_AGAINST = sentence("{board} against {players}")


def move_in_subject(game: str, board: int, who: str) -> str:
    """A whole command as an example."""
    return f"{game} move {board} {who} {PLACEHOLDER} MOVE"


# To the sender of a reply that does not say which letter it answers
WHICH_LETTER = sentence(
    "I cannot tell which letter to you this reply answers, so nothing has been done."
)
REPLY_TO_THIS = together(
    [WHICH_LETTER, sentence("Please reply to this letter, or use its links.")]
)
WHOLE_COMMAND = together(
    [WHICH_LETTER, sentence("Please put the whole command into the Subject line.")]
)
