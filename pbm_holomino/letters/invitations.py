"""The letter to somebody whom a player has invited. It has no words of that player's
but their userid."""

from pbm_holomino import rules
from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.letters.account_letters import FIRST_GAME
from pbm_holomino.letters.content import Command, Content, Paragraph, Part, content
from pbm_holomino.letters.welcome import WHAT, picture

SUBJECT = sentence("An invitation from {player}, to play a game by mail")
_WHO = sentence(
    "{player}, who plays here, has asked this server to invite you to a game of "
    "{game}. We know no more of {player} than that name, which can be anybody's."
)
_HOW = sentence(
    "To accept, send this as the Subject of a mail from this address; or reply to this "
    'letter with "accept" and a name of your choice:'
)
_ACCEPT = sentence("Accept")
_THEN = sentence(
    "It makes you a player without a password, your game with {player} begins, and "
    "others will see you as {userid}, or by the name that you choose."
)
_OR = sentence(
    "If you do not want to play, you need not do anything: no other invitation will "
    "ever come to this address, whoever asks. So that nobody can have any letter sent "
    "to it from here, send"
)
_NEVER = sentence("Never again")
# To whoever answers it with something else
TO_ACCEPT = sentence(
    "This letter is an invitation. To accept it, reply with a line that says nothing "
    "but this, with a name of your choice in place of {userid}. If you want no letters "
    'from this server, reply with "never".'
)


def never_command(word: str) -> str:
    """The command by which the reader of a letter with this word wants no more."""
    return f"never {word}"


def subject(player: str) -> Sentence:
    """The Subject of an invitation by this player."""
    return SUBJECT.of(player=player)


def invitation(player: str, game: str, userid: str, word: str) -> Content:
    """An invitation by a player to a game. Its reader accepts it, with a userid that is
    free, by the word that belongs to their address."""
    shown: Part = (picture(),) if game == FIRST_GAME else ()
    title = rules.load(game).TITLE
    return content(
        (Paragraph(_WHO.of(player=player, game=title)),),
        (Paragraph(WHAT),),
        shown,
        (
            Paragraph(_HOW),
            Command(f"newcomer {userid} {word}", label=_ACCEPT),
        ),
        (Paragraph(_THEN.of(player=player, userid=userid)),),
        (Paragraph(_OR), Command(never_command(word), label=_NEVER)),
    )
