"""What a Subject holds beside a command: what mail programs put before it, and whether
it is one of ours that has come back."""

import re
from collections.abc import Iterable, Iterator

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.texts import words
from pbm_holomino.languages import Language
from pbm_holomino.match.account import is_userid

_ANY_COLON = "[:\uff1a]"
# What is put before a Subject. A colon right before a word, without a blank, ends a
# prefix only if that is one word: `Re:`, `AW :`, `Re[2]:`.
_PREFIXES = (
    rf"[^\W\d_]{{1,20}}\s?(?:\[\d{{1,3}}\]|\(\d{{1,3}}\)|\d{{1,3}})?\s?{_ANY_COLON}",
    r"\[[^\[\]]{0,60}\]",
    r"\{[^{}]{0,60}\}",
    r"\([^()]{0,60}\)",
    "\u3010[^\u3011]{0,60}\u3011",
    r"\*{1,10}[\w ?]{0,20}\*{1,10}",  # ***SPAM***
    r"\*{1,10}",
    r"[^:\uff1a]{1,60}(?:\uff1a|:(?=\s|$))",
)
# Those that hold no word of ours, and are no userid of ours either
_USUAL = (
    r"(?i)\s*(?:re|aw|antw|antwoord|fwd?|wg|tr|rv|resp?|enc|sv|vs|vb|vl|odp|pd|ynt|[ir])"
    r"(?:\[\d{1,3}\]|\(\d{1,3}\))?\s?[:\uff1a]\s*"
)


def subject_words(subject: str) -> list[str]:
    """The words of the command in a Subject, without what mail programs have put
    before it. No prefix is taken off that holds a word of a game or a command."""
    *_, rest = _stages(subject)
    return words(rest)


def is_our_subject(subject: str) -> bool:
    """Whether a Subject is that of one of our letters, under whatever prefixes: then it
    is not a command. Ours are `holo 12: your turn`, `alice: new password`,
    `a message from bob` and `your command: holo standings`."""
    stages = _stages(_half_width(subject).lower())
    if _begins_a_command(stages[-1]):
        return _is_about_a_board(stages[-1]) or _is_said_abroad(stages[:-1])
    is_ours = any(_is_said(stage) or _is_about_a_player(stage) for stage in stages)
    return is_ours or _is_said_abroad(stages)


def player_in(subject: str) -> str:
    """The player in whose letters a Subject of ours is, such as `alice: it is your
    turn`; empty for another one."""
    stages = _stages(_half_width(subject).lower())
    return next((s.partition(":")[0] for s in stages if _is_about_a_player(s)), "")


def _is_said(subject: str) -> bool:
    return subject.startswith(
        ("a message from ", "your command", "an invitation from ")
    )


def _is_said_abroad(stages: Iterable[str]) -> bool:
    """Whether one of these begins, in another language, as those of ours do that name
    no board or player in front."""
    there = [*filter(None, stages)]
    if not there:
        return False
    from pbm_holomino.languages import known  # few Subjects are neither

    languages = map(known.language, known.codes()[1:])
    beginnings = {words for each in languages for words in _beginnings(each)}
    return any(stage.startswith(words) for words in beginnings for stage in there)


def _beginnings(language: Language) -> Iterator[str]:
    from pbm_holomino.commands.refusals import YOUR_COMMAND  # where there are languages
    from pbm_holomino.commands.request import ANSWERED
    from pbm_holomino.letters.account_letters import MESSAGE_SUBJECTS
    from pbm_holomino.letters.invitations import SUBJECT as INVITATION
    from pbm_holomino.letters.tournament_letters import SUBJECTS as OF_TOURNAMENTS

    unnamed = (*MESSAGE_SUBJECTS, INVITATION, ANSWERED, YOUR_COMMAND)
    for said in (*unnamed, *OF_TOURNAMENTS.values()):
        words = language.wording(said).partition("{")[0].lower()
        usual = re.match(_USUAL, words)
        if words := words[usual.end() if usual else 0 :]:
            yield words


def _is_about_a_board(subject: str) -> bool:
    first, _, rest = subject.partition(" ")
    if first == "tournament":
        return re.match("[0-9]{1,9}:", rest) is not None
    is_numbered = re.match(r"[0-9]{1,9}(?::|\s*$)", rest) is not None
    return is_numbered and first in rules.names()


def _is_about_a_player(subject: str) -> bool:
    userid, colon, rest = subject.partition(": ")
    if not (colon and rest and is_userid(userid)) or rest[0].isspace():
        return False
    return not re.match(_USUAL, subject) and not _is_ours_word(userid)


def _stages(subject: str) -> list[str]:
    """The Subject, and what is left of it after each prefix that is taken off."""
    stages = [subject.strip()]
    while not _begins_a_command(stages[-1]) and not _is_said(stages[-1].lower()):
        shorter = _without_prefix(stages[-1])
        if shorter == stages[-1]:
            break
        stages.append(shorter)
    return stages


def _begins_a_command(subject: str) -> bool:
    first, *_ = subject.split(None, 1) or [""]
    if _is_command_word(first.lower()):
        return True
    from pbm_holomino.commands.reading.spelling import plain  # few Subjects need it

    return _is_ours_word(plain(first).lower())


def _without_prefix(subject: str) -> str:
    """The Subject without its first prefix, unless that holds a word of ours."""
    if usual := re.match(_USUAL, subject):
        return subject[usual.end() :]
    for prefix in _PREFIXES:
        if found := re.match(rf"\s*{prefix}\s*", subject):
            held = re.findall(r"[^\W_]+", _half_width(found[0]).lower())
            return subject if any(map(_is_ours_word, held)) else subject[found.end() :]
    return subject


def _is_ours_word(word: str) -> bool:
    """Whether this is a word of a game or of a command."""
    if _is_command_word(word):
        return True
    from pbm_holomino.commands.reading.spelling import game_named  # seldom needed

    return bool(game_named(word))


def _is_command_word(word: str) -> bool:
    """Whether this is a word of a command or the name of a game, as it should be."""
    return word in rules.names() or word in table.command_words()


def _half_width(text: str) -> str:
    if text.isascii():
        return text
    from pbm_holomino.commands.reading.spelling import half_width  # seldom needed

    return half_width(text)
