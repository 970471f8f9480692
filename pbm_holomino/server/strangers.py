"""Mails that ask nothing and answer no letter: a welcome, for strangers who may want to
play. Nobody can have many sent to others, and no word of theirs is in one."""

import re

from pbm_holomino.commands import asked_in
from pbm_holomino.commands.allowance import Allowance, counted
from pbm_holomino.commands.known_names import Known
from pbm_holomino.commands.newcomers import invited
from pbm_holomino.commands.params import LISTS
from pbm_holomino.commands.refusals import YOUR_COMMAND
from pbm_holomino.commands.request import Answer, Answers
from pbm_holomino.commands.texts import first_line
from pbm_holomino.errors import TooMany
from pbm_holomino.languages import ENGLISH_CODE
from pbm_holomino.languages import known as languages
from pbm_holomino.letters import account_letters
from pbm_holomino.letters import welcome as letters
from pbm_holomino.mail.incoming import Mail
from pbm_holomino.store import invitations
from pbm_holomino.store.library import Library
from pbm_holomino.store.welcomes import Welcomed

# The mailboxes of lists, programs and offices, without dots, dashes and digits. No
# person plays from there.
_ROLES = """
    abuse accounts admin administrator alert alerts apache auto automated billing bounce
    bounces contact dmarc donotreply fbl feedback ftp git help helpdesk hello hostmaster
    info invoice invoices jobs list listserv mail mailer majordomo marketing nagios news
    newsletter newsletters noanswer nobody noc noreply notification notifications notify
    office order orders owner post postmaster press privacy promo register reply request
    robot root sales security service spam staff support system team updates uucp
    webmaster wordpress www wwwdata
"""
_OF_LISTS = r"(?:owner|request|bounces?|admin|subscribe|unsubscribe|confirm|errors)"
STOPPING = (  # what people write who want no mail
    r"(?i)\b(?:unsubscribe|opt[ -]?out|remove me|stop|abmelden|austragen|abbestellen"
    r"|uitschrijven|afmelden|d[eé]sabonner|d[eé]sinscrire|d[eé]sinscription|baja"
    r"|disiscrivi\w*|cancella\w*|wypisz)\b"
)


def subscribing(mail: Mail, known: Known) -> Answers | None:
    """The answer to a player who wants to subscribe to something; None for others."""
    line, _ = first_line(mail.body)
    wanted = any(re.match(_SUBSCRIBE, text) for text in (mail.subject, line))
    if not wanted or not _senders(known):
        return None
    said = account_letters.more_letters(known.sender() or "userid")
    return Answers(YOUR_COMMAND, [Answer.of(said)])


_SUBSCRIBE = r"(?i)\s*(?:re-?)?subscribe\b"


def welcomed(
    mail: Mail, library: Library, allowance: Allowance, known: Known, now: str
) -> Answers | None:
    """The answer to a mail that asks nothing, from a stranger; None for somebody who is
    known, or who should get no welcome."""
    answers = allowance.answers
    if mail.is_forged or not answers.may_welcome() or not _is_from_somebody(mail):
        return None
    if invitations.is_refused(library, mail.sender):
        return None
    address = Welcomed(library.store, library.key, invitations.mailbox(mail.sender))
    if not (address.may_be(now) and answers.refuse()) or _senders(known) != ():
        return None
    if not (answers.welcome() and address.note(now)):
        return None
    reads = asked_in.language(mail.languages, mail.body)
    others = {
        code: invited(library, mail.sender, code)
        for code in languages.codes()
        if code != (reads or ENGLISH_CODE)
    }
    said = letters.welcome(invited(library, mail.sender, reads), others)
    return Answers(letters.SUBJECT, [Answer.of(said)._replace(form="picture")])


def _senders(known: Known) -> tuple[str, ...] | None:
    """The players who may have sent a mail; None if their address has asked too much to
    be looked for."""
    try:
        return known.senders()
    except TooMany:
        return None


def _is_from_somebody(mail: Mail) -> bool:
    """Whether a person may have written who would like to play."""
    name = counted(mail.sender).partition("@")[0]
    is_role = bool(
        re.sub(r"[-_.0-9]", "", name) in _ROLES.split()
        or re.match(rf"(?:{_OF_LISTS}|no[-_.]?reply|do[-_.]?not[-_.]?reply)[-_.]", name)
        or re.search(rf"[-_.]{_OF_LISTS}$", name)
    )
    line, _ = first_line(mail.body)
    asks = mail.subject.strip().lower() in LISTS  # such as `next`, which lacks a player
    wants_none = re.search(STOPPING, f"{mail.subject}\n{line}")
    return not (mail.is_to_many or is_role or asks or wants_none)
