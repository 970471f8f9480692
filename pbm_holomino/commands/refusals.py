"""The answers to refused commands, and the sentences of refusals that no one command
makes."""

from pbm_holomino.commands import table
from pbm_holomino.commands.request import Answer, Request, Shown
from pbm_holomino.commands.table import Reply
from pbm_holomino.errors import (
    BadCommand,
    IllegalMove,
    NoCommand,
    NotAllowed,
    OldLetter,
    PbmError,
    Refused,
    WrongPassword,
)
from pbm_holomino.languages import Sentence, of_player, sentence, together
from pbm_holomino.letters import screen
from pbm_holomino.letters.content import (
    Block,
    Command,
    Lines,
    Paragraph,
    content,
)
from pbm_holomino.letters.how_to_answer import where_it_fits
from pbm_holomino.match.account import NOT_YOUR_OWN, PLACEHOLDER, is_token
from pbm_holomino.match.board import Match, Offer
from pbm_holomino.match.record import Act
from pbm_holomino.store.people import People

# The subject of an answer to what cannot be read
YOUR_COMMAND = sentence("Re: your command")

# Of mails whose Subject cannot be a command
LARGE_MAIL = sentence(
    "That mail is too large: {most} MB at most, attachments included."
)
LONG_TEXT = sentence("That mail is too long: its text may be 1 MB at most.")
LONG_SUBJECT = sentence("The Subject line of that mail is too long for a command.")
SUBJECTS = sentence(
    "That mail has more than one Subject line; please send it with one."
)
CONTROL = sentence("There are control characters in the Subject line of that mail.")
# Of players
PASSWORD_CHANGED = sentence("The password of that player has just been changed.")
# Of what is typed
NOBODY_TO_ASK = {  # by the question
    "Password": sentence(
        "There is nobody to ask for the password. Please put it into the variable "
        "PBM_PASSWORD."
    ),
    "New password": sentence(
        "There is nobody to ask for the new password. Please write it in place of the "
        "dash."
    ),
}


def refusal(
    error: PbmError, to: tuple[str, ...] = (), board: Shown | None = None
) -> Answer:
    """The answer to a refused command.

    `to` are the addresses of the player who gave the right password, empty for the
    sender; `board` is the screen of the board that the command was about.
    """
    said: list[Block] = [Paragraph(error.said)]
    if isinstance(error, BadCommand) and error.page:
        said.append(Paragraph(_how_to_read(error.page)))
    if error.example:
        said += [Lines("\n"), Command(error.example)]
    whole = content(said, *(board.content if board else ()))
    return Answer.of(whole, error.status, to, error.over, board)


def so_before() -> Answer:
    """The answer to a player who chooses what they have already."""
    said = sentence("It was so before.")
    return Answer.of(((Paragraph(said),),))._replace(posted=True)


def no_command() -> NoCommand:
    """The error for a reply without a command."""
    return NoCommand(
        sentence(
            "I cannot read a command in this reply: please put a whole one into its "
            'first line or into the Subject line, such as "help tutorial".'
        ),
        "reply",
    )


def no_png(name: str) -> NotAllowed:
    """The error for a picture with this filename on a terminal."""
    return NotAllowed(
        sentence(
            'A terminal cannot show a PNG: please save it in a file, with ">{name}" at '
            "the end of the line.",
            name=name,
        )
    )


def wrong_password(request: Request) -> WrongPassword:
    """The error for what is in the password's place."""
    if request.password == PLACEHOLDER:
        return WrongPassword(NOT_YOUR_OWN)
    serves = table.find(request).reply is not Reply.NEVER
    if not (serves and is_token(request.password)):
        return WrongPassword(
            sentence(
                "That is not the password of that player. If you no longer know yours, "
                'send "forgot {userid}".',
                userid=request.userid,
            )
        )
    return WrongPassword(
        sentence(
            "That reply or link is not valid: it must come from an address of the "
            "player to whom the letter was sent, and be about the board of that "
            "letter. Please answer your latest letter, or send the command with your "
            "password."
        )
    )


def old_letter(match: Match, index: int, reader: str) -> OldLetter:
    """The error for a reply to a letter after which this line of the log has come."""
    line = match.record.log[index]
    if match.result is not None and match.steps[index].result is not None:
        said = _ENDED_SINCE
    else:
        action = line.action if isinstance(line.action, Act) else None
        said = _DONE_SINCE[action].to(reader, line.who)
    return _old_letter(match, said)


def offered_since(match: Match, offer: Offer) -> OldLetter:
    """The same for an answer to a letter after which an offer has come."""
    return _old_letter(match, _OFFERED_SINCE[offer.kind].of(player=offer.who))


def _old_letter(match: Match, said: Sentence) -> OldLetter:
    return OldLetter(together((said.of(board=match.record.name), _REPLY_TO_THIS)))


_ENDED_SINCE = sentence(
    "Your reply is to an earlier letter about {board}: since then, the game has ended."
)
_DONE_SINCE = {  # by the act; None for a move
    None: of_player(
        "Your reply is to an earlier letter about {board}: since then, you have moved.",
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "moved.",
    ),
    Act.ACCEPT: of_player(
        "Your reply is to an earlier letter about {board}: since then, you have "
        "accepted an offer.",
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "accepted an offer.",
    ),
    Act.REJECT: of_player(
        "Your reply is to an earlier letter about {board}: since then, you have "
        "rejected an offer.",
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "rejected an offer.",
    ),
    Act.RESIGN: of_player(
        "Your reply is to an earlier letter about {board}: since then, you have "
        "resigned.",
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "resigned.",
    ),
    Act.FORFEIT: of_player(
        "Your reply is to an earlier letter about {board}: since then, you have run "
        "out of time.",
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "run out of time.",
    ),
}
_OFFERED_SINCE = {
    "draw": sentence(
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "offered a tie."
    ),
    "pause": sentence(
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "proposed a pause."
    ),
    "undo": sentence(
        "Your reply is to an earlier letter about {board}: since then, {player} has "
        "asked to take back a move."
    ),
}
_REPLY_TO_THIS = sentence("Nothing has been done. Please reply to this letter instead.")


def _how_to_read(page: str) -> Sentence:
    """How to get a help page; those of the owner do not come by mail."""
    if table.is_owners_help(page.split()):
        return sentence('For more, type "pbm help {page}".', page=page)
    return sentence('For more, send "help {page}".', page=page)


def with_nearest(error: Refused, match: Match | None, request: Request) -> Refused:
    """The error about a move that the rules forbid, in a reply to a letter with the
    places where its tile fits."""
    is_reply = request.origin.proof is not None
    if match is None or not is_reply or not isinstance(error, IllegalMove):
        return error
    fits = where_it_fits(match, request.userid, error.move)
    return Refused(together([error.said, fits])) if fits else error


def board_shown(
    request: Request, people: People, match: Match | None, reader: str | None
) -> Shown | None:
    """The screen of the board that a refusal shows to a reader, or to anybody; None if
    there is no board, or if the answer has no room for one."""
    if match is None or not request.allowance.work.has_board(bool(request.userid)):
        return None
    match = people.with_wish(match, reader)
    shown = screen.screen(match, reader, by_reply=request.by_letter)
    return Shown(match, reader, shown)
