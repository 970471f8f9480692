"""The letters about an account, and players' messages to each other."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from pbm_holomino import rules
from pbm_holomino.languages import (
    ENGLISH_CODE,
    UTC,
    InARow,
    Listed,
    Moment,
    Sentence,
    known,
    of_number,
    sentence,
    together,
)
from pbm_holomino.letters import absences
from pbm_holomino.letters.content import (
    BLANK,
    WRITES,
    Block,
    Command,
    Content,
    Lines,
    Page,
    Paragraph,
    Part,
    Words,
    content,
    in_words,
    spoken,
)
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.account import (
    ALL,
    DAILY,
    LISTS,
    NAMELESS,
    NO_PASSWORD,
    PLACEHOLDER,
    TURNS,
    WORDS,
    AccountLine,
    Declined,
    Kind,
    Player,
    declined_by,
    is_broadcast,
)
from pbm_holomino.match.open_challenge import ANYONE
from pbm_holomino.match.record import NOBODY, OWNER
from pbm_holomino.named_tuples import NamedTuple

FIRST_GAME = "holo"  # that of the tutorial


def former_addresses(player: Player, line: AccountLine) -> tuple[str, ...]:
    """The addresses that a line of the log has removed, and that are told so."""
    answered = () if line.by_shell else player.addresses_after(line)
    kind, words = line.action
    had = words if kind is Kind.ADDRESSES else ()
    return tuple(address for address in had if address not in answered)


def farewell(player: Player, line: AccountLine) -> Content:
    """What addresses are told that a line of the log has removed."""
    now = player.addresses_after(line)
    said = _MOVED if now else _REMOVED
    return content((Paragraph(said.of(userid=player.userid, addresses=Listed(now))),))


_MOVED = sentence(
    "From now on, the letters for {userid} go to {addresses}. If that was not you, "
    "please write to the owner of this server."
)
_REMOVED = sentence(
    "From now on, the letters for {userid} go to no address. If that was not you, "
    "please write to the owner of this server."
)


def account_subject(player: Player, line: AccountLine) -> Sentence:
    """The subject of a letter about an account."""
    kind, words = line.action
    if kind not in LISTS:
        return _ACCOUNT_SUBJECTS[kind].of(userid=player.userid)
    why = next((word for word in words if word in (TURN, ASKED)), TURN)
    return _WAITS[kind, why].of(userid=player.userid)


class Reminded(NamedTuple):
    """A board that a list names, and the last line of its log then."""

    game: str
    board: int
    line: int

    def __str__(self) -> str:
        return f"{self.game}.{self.board}.{self.line}"


def boards_of(line: AccountLine) -> tuple[Reminded, ...]:
    """The boards that a list names, as far as its line does: `!waiting turn holo.12.34
    hextol.2.7`."""
    if line.action.kind not in LISTS:
        return ()
    named = (word.split(".") for word in line.action.words if "." in word)
    return tuple(Reminded(game, int(board), int(last)) for game, board, last in named)


def board_of(line: AccountLine) -> Reminded | None:
    """The board that a reminder is about, `!reminder holo 12 turn 34`; None for other
    lines, and for reminders whose text is kept."""
    kind, words = line.action
    if kind is not Kind.REMINDER or len(words) != 4 or words[0] in (TURN, ASKED):
        return None
    game, board, _, last = words
    return Reminded(game, int(board), int(last))


TURN, ASKED = "turn", "asked"  # what a player has to do: move, or answer a challenge
_WAITS = {
    (Kind.WAITING, TURN): sentence("{userid}: it is your turn"),
    (Kind.WAITING, ASKED): sentence("{userid}: challenges wait for your answer"),
    (Kind.REMINDER, TURN): sentence("{userid}: still your turn"),
    (Kind.REMINDER, ASKED): sentence("{userid}: still to be accepted or declined"),
}


def message_subject(writer: Player, line: AccountLine) -> Sentence:
    """The subject of a player's message to others."""
    said = _TO_EVERYBODY if is_broadcast(line) else _TO_SOME
    return said.subject.of(player=writer.userid)


def message(player: Player, line: AccountLine) -> Content:
    """A player's message to another."""
    note = player.notes.get(line.no or 0, "")
    said = _TO_EVERYBODY if is_broadcast(line) else _TO_SOME
    return content(
        (Paragraph(said.lead.of(player=player.userid)), Words(note)),
        (Paragraph(_TO_ANSWER.of(player=player.userid)),) if player.addresses else (),
    )


class _Message(NamedTuple):
    """What is said of a player who writes to others."""

    subject: Sentence
    lead: Sentence


_TO_SOME = _Message(
    sentence("a message from {player}"),
    WRITES,
)
_TO_EVERYBODY = _Message(
    sentence("a message from {player} to everybody"),
    sentence("{player} writes to everybody:"),
)
MESSAGE_SUBJECTS = (_TO_SOME.subject, _TO_EVERYBODY.subject)
_TO_ANSWER = sentence(
    "To answer, reply to this letter: it goes to {player} alone.",
)


def forgotten_password(player: Player, word: str, now: str) -> Letter:
    """The letter with the word that takes the place of a forgotten password."""
    userid, code = player.userid, player.language_at(now)
    asked = sentence(
        "Somebody, probably you, has asked for a new password for {userid}. To choose "
        "one, send this line, with your new password in place of NEW:",
        userid=userid,
    )
    rest = sentence(
        "The word that begins with ~ takes the place of a password: you need no other. "
        "It works once, and for an hour. If you have not asked for it, you need not do "
        "anything: nothing has changed, and this letter has gone to nobody else."
    )
    command = Command(f"change password {userid} {word} NEW")
    told = content((Paragraph(asked), command), (Paragraph(rest),))
    return Letter(
        key=f"players.{userid}.{sha256(word.encode()).hexdigest()[:16]}",
        to=player.addresses,
        subject=in_words(sentence("{userid}: a new password", userid=userid), code),
        content=spoken(told, code),
        form=player.format,
        replied=False,
        once=True,
        language=code,
    )


def sign_in_link(player: Player, link: str, now: str) -> Letter:
    """The letter with the link by which a player signs in without a password."""
    userid, code = player.userid, player.language_at(now)
    asked = sentence(
        "Somebody, probably you, wants to sign in as {userid}. If it was you, open "
        "this page, and press the button there:",
        userid=userid,
    )
    rest = sentence(
        "The link works once, and for an hour. If it was not you, you need not do "
        "anything: nobody else has got this letter."
    )
    subject = sentence("{userid}: sign in", userid=userid)
    letter = _with_a_link(userid, subject, asked, link, rest, code)
    return letter._replace(to=player.addresses, form=player.format)


def confirmation(
    userid: str, address: str, link: str, code: str = ENGLISH_CODE
) -> Letter:
    """The letter with the link by which somebody who wants to sign up in a browser, and
    reads this language, shows that they read mail at this address."""
    asked = sentence(
        "Somebody, probably you, wants to play here as {userid}, with letters to this "
        "address. If it was you, open this page, and choose a password there:",
        userid=userid,
    )
    rest = sentence(
        "The page is there for a day. If it was not you, you need not do anything: "
        "there is no account before a password has been chosen."
    )
    subject = sentence("{userid}: please confirm your address", userid=userid)
    letter = _with_a_link(userid, subject, asked, link, rest, code)
    return letter._replace(to=(address,), form="html", stranger=True)


def _with_a_link(
    userid: str,
    subject: Sentence,
    asked: Sentence,
    link: str,
    rest: Sentence,
    code: str,
) -> Letter:
    """A letter about a link that is good for a while, and was asked for in a browser:
    to whom and in which form is still to be said."""
    told = content((Paragraph(asked), Page(link)), (Paragraph(rest),))
    return Letter(
        key=f"players.{userid}.{sha256(link.encode()).hexdigest()[:16]}",
        subject=in_words(subject, code),
        content=spoken(told, code),
        replied=False,
        once=True,
        language=code,
    )


_ACCOUNT_SUBJECTS = {
    Kind.SIGNUP: sentence("{userid}: welcome"),
    Kind.PASSWORD: sentence("{userid}: new password"),
    Kind.ADDRESSES: sentence("{userid}: new address"),
    Kind.EXPORT: sentence("{userid}: your data"),
    Kind.INVITE: sentence("{userid}: your invitation"),
    Kind.SIGNOFF: sentence("{userid}: signed off"),
    Kind.DELETE: sentence("{userid}: good-bye"),
    Kind.MESSAGE: sentence("{userid}: your message"),
    Kind.BROADCAST: sentence("{userid}: your message"),
    Kind.DIGEST: sentence("{userid}: your digest"),
    Kind.LETTERS: sentence("{userid}: your letters"),
    Kind.FORMAT: sentence("{userid}: your letters"),
    Kind.THREADS: sentence("{userid}: your letters"),
    Kind.BROADCASTS: sentence("{userid}: your letters"),
    Kind.PROFILE: sentence("{userid}: your page"),
    Kind.LANGUAGE: sentence("{userid}: your language"),
    Kind.ZONE: sentence("{userid}: your zone"),
    Kind.NOTICES: sentence("{userid}: your notices"),
    Kind.UNSUBSCRIBE: sentence("{userid}: your letters"),
    Kind.VACATION: sentence("{userid}: your vacation"),
    Kind.BLOCK: sentence("{userid}: a player blocked"),
    Kind.UNBLOCK: sentence("{userid}: a player unblocked"),
    Kind.MUTE: sentence("{userid}: your letters"),
    Kind.UNMUTE: sentence("{userid}: your letters"),
    Kind.DECLINED: sentence("{userid}: challenges declined"),
    Kind.UNTAKEN: sentence("{userid}: your open challenge"),
}


def account_content(
    player: Player, line: AccountLine, readers: Sequence[Player] = ()
) -> Content:
    """What a player is told after a line of their account's log; `readers` are those to
    whom they have written with it."""
    return content(_told(player, line, readers))


def _told(
    player: Player, line: AccountLine, readers: Sequence[Player]
) -> Iterable[Block]:
    kind, words = line.action
    if kind in LISTS:
        return [Lines(player.notes.get(line.no or 0, ""))]
    if kind is Kind.SIGNUP:
        return _welcome(player, line)
    if kind is Kind.UNTAKEN:
        return _untaken(player.userid, *words)
    if kind is Kind.VACATION:
        return _vacation(player.userid, words[0])
    if kind is Kind.UNSUBSCRIBE:
        return _unsubscribed(player.userid, *words)
    if kind is Kind.EXPORT:
        return [Paragraph(_EXPORTED.of(userid=player.userid)), Command("help export")]
    if kind is Kind.DELETE:
        gone = _BY_OWNER if line.source == OWNER else _SAID
        return [
            Paragraph(gone[kind].of(userid=player.userid)),
            BLANK,
            Paragraph(_NAME_STAYS if NAMELESS in words else _STAYS),
        ]
    if kind is Kind.DIGEST and words == ("off",) and player.letters == DAILY:
        how = f"change letters {player.userid} {PLACEHOLDER} {ALL}"
        return [Paragraph(_STILL_DAILY.of(userid=player.userid)), Command(how)]
    return (Paragraph(together(_said(player, line, readers))),)


def _said(
    player: Player, line: AccountLine, readers: Sequence[Player]
) -> Iterable[Sentence]:
    """What a player is told in nothing but sentences."""
    kind, words = line.action
    if kind in WORDS:
        return _sent(line, readers)
    if kind is Kind.DECLINED:
        return _declined(declined_by(line))
    if kind is Kind.INVITE:
        game = rules.load(words[0]).TITLE
        return (_INVITED.of(userid=player.userid, game=game),)
    if kind is Kind.ADDRESSES:
        return (_where(player.addresses_after(line)),)
    if line.source == OWNER and kind in _BY_OWNER:
        return (_BY_OWNER[kind].of(userid=player.userid),)
    if kind is Kind.NOTICES:
        return (_told_elsewhere(player.userid, line),)
    if kind is Kind.ZONE:
        return (_in_zone(player.userid, line.time, *words),)
    word = words[0] if words else ""
    said = _CHOSEN[kind][word] if kind in _CHOSEN else _SAID[kind]
    board = " ".join(words)  # if it is about one
    return (said.of(userid=player.userid, player=word, board=board),)


def _sent(line: AccountLine, readers: Sequence[Player]) -> Sequence[Sentence]:
    """To whom a player's words have gone."""
    if not is_broadcast(line):
        return absences.sent_to(line.action.words, readers)
    # who is signed on may have changed when the same mail comes again
    everybody = sentence("Sent to all other players who are signed on.")
    return [everybody, *absences.lost_on(readers)]


def _where(addresses: Sequence[str]) -> Sentence:
    """Where a player's letters go."""
    if addresses:
        return sentence("Your letters go to {addresses}.", addresses=InARow(addresses))
    return sentence(
        "You get no letters, as you have no mail address here. To give one, see "
        '"help change"; until then look at your boards with "all show".'
    )


# What the owner has done with an account.
_BY_OWNER = {
    Kind.DELETE: sentence(
        "The owner of this server has removed your account, {userid}."
    ),
    Kind.PASSWORD: sentence(
        "The owner of this server has taken back the password of {userid}, and signed "
        'you out everywhere. "forgot {userid}" brings a word for a new one.'
    ),
}
_SAID = {
    Kind.SIGNOFF: sentence(
        "You have signed off, {userid}: no new games and no broadcasts reach you until "
        'you sign up again, with the same password. "all show {userid}" lists your '
        "games that go on."
    ),
    Kind.DELETE: sentence(
        "Your account is removed, {userid}. Good-bye, and thank you."
    ),
    Kind.PASSWORD: sentence("Your password is changed, {userid}."),
    Kind.LANGUAGE: sentence("Your letters will be in English from now on, {userid}."),
    Kind.BLOCK: sentence(
        "{player} is blocked, {userid}: no challenge, message or chat of theirs "
        "reaches you any more. The games that you are playing together go on. "
        '"unblock {userid} PASSWORD {player}" ends this.'
    ),
    Kind.UNBLOCK: sentence(
        "{player} is no longer blocked, {userid}: they can challenge and write to you "
        "again."
    ),
    Kind.MUTE: sentence(
        "{board} is muted, {userid}: you get letters about it only if they ask "
        "something of you or answer you, and one when the game is over. What other "
        'players say there does not come. "unmute {userid} PASSWORD {board}" ends this.'
    ),
    Kind.UNMUTE: sentence(
        "{board} is not muted any more, {userid}: you get letters about it again."
    ),
}
# What a player has chosen, by the word.
_CHOSEN = {
    Kind.DIGEST: {
        "on": sentence(
            "Once a day, {userid}, you will get a list of the boards where it is your "
            "turn and of the challenges that you have not answered; on days without "
            "any there is no letter. The list replaces reminders."
        ),
        "off": sentence("You will get no more digests, {userid}."),
    },
    Kind.LETTERS: {
        ALL: sentence("You will get every letter about your boards, {userid}."),
        TURNS: sentence(
            "You will get a letter about a board only if it asks something of you, "
            "{userid}: to move, or to answer an offer or a challenge. In any case you "
            "get the answers to your own commands, the ends of your games, and what "
            "other players write to you."
        ),
        DAILY: sentence(
            "Once a day, {userid}, you will get a list of the boards where it is your "
            "turn and of the challenges that you have not answered; on days without "
            "any there is no letter. The list replaces reminders. Apart from it you "
            "get only the answers to your own commands, the ends of your games, and "
            "what other players write to you."
        ),
        "moves=best": sentence(
            "Your letters will propose at most forty moves, {userid}, the best ones "
            "by what they add at once."
        ),
        "moves=all": sentence(
            "Your letters will propose all moves, {userid}, also where there are many."
        ),
    },
    Kind.FORMAT: {
        "text": sentence("Your letters will be plain text, {userid}."),
        "small": sentence(
            "Your letters will be plain text, {userid}, with the small board."
        ),
        "html": sentence(
            "Your letters will be plain text and HTML, {userid}: your mail program "
            "shows the one that it prefers."
        ),
        "picture": sentence("Your letters will have a picture of the board, {userid}."),
        "words": sentence(
            "Your letters will be plain text, {userid}, with the board in sentences, "
            "ready to be read aloud."
        ),
    },
    Kind.BROADCASTS: {
        "on": sentence("You will get what other players write to everybody, {userid}."),
        "off": sentence("You will get no more broadcasts, {userid}."),
    },
    Kind.PROFILE: {
        "on": sentence(
            "Your page will show everybody your games and results, {userid}."
        ),
        "off": sentence(
            "Your page will show your games and results to you alone, {userid}."
        ),
    },
    Kind.THREADS: {
        "on": sentence(
            "All letters about a board will have the same Subject, {userid}, so that "
            "your mail program keeps them together."
        ),
        "off": sentence(
            "The Subject of a letter about a board will say what it wants, {userid}."
        ),
    },
}


def _told_elsewhere(userid: str, line: AccountLine) -> Sentence:
    """What a player is told whose turns are told elsewhere, or no more."""
    form, *more = line.action.words
    if not more:
        return (_NO_MORE_NOTICES, _NOTICES_FAILED)[line.by_server].of(userid=userid)
    host, *daily = more
    said = _NOTICES_DAILY if daily else _NOTICES
    return said.of(userid=userid, host=host, form=form)


_NO_MORE_NOTICES = sentence(
    "You will be told of your turns by letters alone, {userid}."
)
_NOTICES_FAILED = sentence(
    "For a week nothing has reached the address where you wanted to be told of your "
    'turns, {userid}. It is forgotten now, and letters go on; "help notices" says how '
    "to give another one."
)
_NOTICES = sentence(
    "Each time that it is your turn, {userid}, {host} will be told, as {form} has it. "
    "Letters go on."
)
_NOTICES_DAILY = sentence(
    "Once a day, {userid}, {host} will be told where it is your turn, as {form} has "
    "it. Letters go on."
)


def _in_zone(userid: str, now: str, zone: str) -> Sentence:
    """What a player is told to whom times are told in this zone from now on."""
    if zone == UTC:
        return sentence("Times will be in UTC from now on, {userid}.", userid=userid)
    return sentence(
        "Times will be those of {zone} from now on, {userid}: it is {when} there.",
        zone=zone,
        userid=userid,
        when=Moment(now),
    )


_EXPORTED = sentence(
    "With this letter comes a file, {userid}.zip, with what this server keeps about "
    "you, {userid}: your account and what you have written, in one text, and the "
    "records of your games, in a text each, as everybody may read them. To read what "
    "is in these texts, send"
)
_LEFT_OUT = sentence(
    "Not all of your games fit into a letter: these are the latest. On the pages of "
    'this server, if it has any, "Settings" has them all; by mail, "{command}" brings '
    "the record of one game.",
    command=f"{FIRST_GAME} history 12 -format=yaml",
)
_ON_ITS_WAY = of_number(
    "A letter with what this server keeps about you, {userid}, goes to your address: "
    "{addresses}.",
    "A letter with what this server keeps about you, {userid}, goes to your addresses: "
    "{addresses}.",
)


def what_is_left_out(is_whole: bool) -> Part:
    """What is said under a letter that brings a player's games of those that it does
    not bring, if there are any."""
    return () if is_whole else (BLANK, Paragraph(_LEFT_OUT))


def export_on_its_way(player: Player, line: AccountLine) -> Content:
    """What a player is told who has asked in another way than by a mail of its own for
    what is kept."""
    to = player.addresses_after(line)
    said = _ON_ITS_WAY.of(n=len(to), userid=player.userid, addresses=InARow(to))
    return content((Paragraph(said),))


_INVITED = sentence(
    "An invitation to {game} goes to that address, {userid}, unless one has gone there "
    "before, whoever asked, or its reader plays here already or wants none. When "
    "somebody accepts it, the game begins, and you get a letter about it."
)
_STAYS = sentence(
    "Your password, your addresses, your settings and your messages are gone. Two "
    "things stay. One is your name, so that nobody else can ever play under it. The "
    "other is the records of your games, with your name and with what was said in "
    "them: they belong to the players on the other side as well, results and ratings "
    "follow from them, and a record that was changed would prove nothing any more."
)
_NAME_STAYS = sentence(
    "Your password, your addresses, your settings and your messages are gone. Two "
    "things stay. One is your name, so that nobody else can ever play under it. The "
    "other is the records of your games, with what was said in them: they belong to "
    "the players on the other side as well, results and ratings follow from them, and "
    "a record that was changed would prove nothing any more. Where your games are "
    'shown, they name "a former player" in your place; only the records that programs '
    "read still have your name."
)
_STILL_DAILY = sentence(
    "The daily list goes on, {userid}, as you have chosen it in place of other letters "
    "about your boards. To have those again, and no list, send this line with your "
    "password:"
)


def how_to_stop(command: str) -> Part:
    """How to stop the daily lists, under one of them, by a command that needs no
    password."""
    return Paragraph(_TO_STOP), Command(command)


_TO_STOP = sentence(
    "To get no more daily lists, and nothing that players write to everybody, send"
)


def more_letters(userid: str) -> Content:
    """What a player is told who wants to subscribe to something."""
    return content((Paragraph(_MORE), *_all_letters(userid)))


_MORE = sentence(
    "Letters about your games come without a subscription. To get a daily list of the "
    "boards that wait for you, and what players write to everybody, send these lines "
    "with your password:"
)


def _all_letters(userid: str) -> Iterator[Command]:
    yield Command(f"change digest {userid} {PLACEHOLDER} on")
    yield Command(f"change broadcasts {userid} {PLACEHOLDER} on")


def _unsubscribed(userid: str, letters: str = "") -> Iterator[Block]:
    """What a player is told who gets no more digests and broadcasts; `letters` are
    those that come in place of the digest, if that took the place of others."""
    yield Paragraph((_ASKED_ONLY if letters else _AS_BEFORE).of(userid=userid))
    yield from _all_letters(userid)


_AS_BEFORE = sentence(
    "You will get no more digests and no more broadcasts, {userid}. Other letters come "
    "as before. To get them again, send these lines with your password:"
)
_ASKED_ONLY = sentence(
    "You will get no more digests and no more broadcasts, {userid}. In their place, a "
    "letter comes when a board asks something of you. To get them again, send these "
    "lines with your password:"
)


def _vacation(userid: str, until: str) -> Iterator[Block]:
    """What a player is told whose vacation begins, or ends."""
    if until == NOBODY:
        yield Paragraph(_BACK.of(userid=userid))
        return
    yield Paragraph(_AWAY.of(userid=userid, when=Moment(until)))
    yield Command(f"change vacation {userid} {PLACEHOLDER} 0")


_BACK = sentence(
    "Your vacation is over, {userid}: your time runs again on all your boards."
)
_AWAY = sentence(
    "Your vacation lasts until {when}, {userid}. Until then your time does not run on "
    "any board, and you get no reminders and no daily lists. Letters to players who "
    "wait for you say until when you are away. You can move all the same. To end it "
    "earlier, send this line with your password:"
)


def _declined(declined: Declined) -> Iterator[Sentence]:
    boards, left = declined
    yield _DECLINED.of(n=len(boards), boards=Listed(boards))
    if left:
        yield _MORE_WAIT.of(n=left)


_DECLINED = of_number(
    "You have declined {n} challenge: {boards}.",
    "You have declined {n} challenges: {boards}.",
)
_MORE_WAIT = of_number(
    "That is the most at once, and {n} more wait for your answer: please send the "
    "command again.",
    "That is the most at once, and {n} more wait for your answer: please send the "
    "command again.",
)


def _untaken(userid: str, challenge: str) -> Iterator[Block]:
    """What a player is told whose open challenge nobody has taken up for a day."""
    game, _, number = challenge.partition(".")
    yield Paragraph(_UNTAKEN.of(userid=userid, board=f"{game} {number}"))
    yield offered_robot(game, userid)


_UNTAKEN = sentence(
    "Your open challenge {board} still waits for players, {userid}. It stays open, and "
    "you need not do anything. To play right away, challenge the robot, which answers "
    "at any hour:"
)


def offered_robot(game: str, userid: str) -> Command:
    """The command by which a player without an opponent plays against the robot."""
    return Command(f"{game} challenge {userid} robot")


_HAS_BEGUN = sentence("Your first game has begun, in a letter of its own.")
_NO_PASSWORD = sentence(
    "You need no password to reply to letters. Some commands ask for one: to choose "
    "yours, send"
)


def _about_zones(userid: str, has_no_password: bool) -> Part:
    """How a new player can read times by their own clock."""
    if has_no_password:
        return Paragraph(_ZONE_LATER), Command("help change")
    command = Command(f"change zone {userid} {PLACEHOLDER} Europe/Berlin")
    return Paragraph(_ZONE), command


_ZONE = sentence(
    "Times are in UTC. To read them by your own clock, send a line such as this with "
    "your password:"
)
_ZONE_LATER = sentence(
    "Times are in UTC. With a password, you can have them by your own clock. To read "
    "how, send"
)


_IN_THIS_LANGUAGE = sentence("For all letters in English, send")


def other_languages(player: Player, line: AccountLine, word: str) -> Iterator[Part]:
    """How a new player gets letters in another language, each said in that language;
    the word takes the place of a password."""
    reads = known.language(player.language_at(line.time)).code
    for code in known.codes():
        if code != reads:
            command = f"change language {player.userid} {word} {code}"
            said = Paragraph(in_words(_IN_THIS_LANGUAGE, code))
            yield (said, Command(command, label=known.name(code)))


def _welcome(player: Player, line: AccountLine) -> Iterator[Block]:
    userid, has_none = player.userid, NO_PASSWORD in line.action.words
    others = [other for other in line.action.words if other != NO_PASSWORD]
    welcome = sentence("Welcome, {userid}!", userid=userid)
    said = [welcome, _where(player.addresses_after(line))]
    if has_none:
        yield Paragraph(together([*said, _HAS_BEGUN]))
        yield BLANK
        yield Paragraph(_NO_PASSWORD)
        yield Command(f"forgot {userid}")
    else:
        yield Paragraph(together(said))
        yield BLANK
        yield Paragraph(sentence("To play at once, against a robot, send"))
        yield offered_robot(FIRST_GAME, userid)
    if others:
        yield Paragraph(sentence("To play against somebody who plays here, send"))
        for other in others:
            yield Command(f"{FIRST_GAME} challenge {userid} {other}")
    yield Paragraph(sentence("To play against whoever takes you up, send"))
    yield Command(f"{FIRST_GAME} challenge {userid} {ANYONE}")
    yield Paragraph(sentence("To see the boards where it is your turn, send"))
    yield Command(f"all show {userid} next")
    yield Paragraph(sentence("To be shown a first game, step by step, send"))
    yield Command("help tutorial")
    yield Paragraph(sentence("For the rules of the games, send"))
    yield from (Command(f"{game} help") for game in rules.names())
    yield from _about_zones(userid, has_none)
    yield Paragraph(sentence("For everything else, send"))
    yield Command("help")
