"""Which mails a program sent by itself: they are neither carried out nor answered.

An answer could make a loop, and the out-of-office reply to a letter is no move. (Those
that only their words show are in `unattended`.)
"""

from collections.abc import Callable, Iterable

from pbm_holomino.mail.mime import ENVELOPE, Headers, Part

# What marks a mail by being there (RFC 3834 names only Auto-Submitted, and List-Id is
# RFC 2919's; the others are what programs use).
_MARKS = (
    *("list-id", "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply"),
    *("x-autoreply-from", "x-autorespond-from", "x-mail-autoreply", "x-arf"),
    *("x-failed-recipients", "x-mdaemon-deliver-report"),
)
# What programs add that write to many people; a person's mail may come through one.
_TO_MANY = (
    *("list-post", "list-help", "list-unsubscribe", "mailing-list", "x-mailing-list"),
    *("feedback-id", "x-csa-complaints", "x-auto-response-suppress"),
)
_PRECEDENCES = ("bulk", "junk", "list", "auto_reply", "auto-reply")
_DAEMONS = (
    *("mailer-daemon", "postmaster", "post_master", "daemon", "root", "cron"),
    *("noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "mdaemon"),
)
# Parts of invitations, reactions by an emoji, receipts, and complaints (RFC 5965).
_KINDS = (
    *("text/calendar", "text/vnd.google.email-reaction+json"),
    *("message/disposition-notification", "message/delivery-status"),
    "message/feedback-report",
)


def is_automatic(
    mail: Part, values: Callable[[str], Iterable[str]], own_address: str
) -> bool:
    """Whether the headers of a mail say that a program sent it; `values` gives those of
    a name (in lower case), unfolded."""
    submitted = (text.partition(";")[0] for text in values("auto-submitted"))
    return (
        any(text.strip() == "<>" for text in values("return-path"))
        or any(map(_is_nobody, values("from")))
        or mail.field(ENVELOPE).lstrip().lower().startswith("mailer-daemon")
        or any(text.strip().lower() != "no" for text in submitted)
        or any(text.strip().lower() in _PRECEDENCES for text in values("precedence"))
        or any(text.strip() == own_address for text in values("x-loop"))
        or any(name in mail.headers for name in _MARKS)
        or mail.kind == "multipart/report"
        or _is_suppressed_reply(values)
    )


def is_to_many(headers: Headers) -> bool:
    """Whether these headers have marks of newsletters, lists or notices: what comes so
    may be carried out, but nobody there would like to play."""
    return any(name in headers for name in _TO_MANY)


def _is_nobody(sender: str) -> bool:
    """Whether a From is a daemon's without an address: `MAILER-DAEMON <>`."""
    name, brackets, _ = sender.lower().partition("<>")
    return bool(brackets) and name.strip(' "') in _DAEMONS


def _is_suppressed_reply(values: Callable[[str], Iterable[str]]) -> bool:
    """Whether it answers a mail and asks for no automatic answer to itself. Exchange's
    own replies do; its users' mails may ask as well, where a company adds it to all of
    them, and those that answer nothing are read."""
    asked = any(
        text.strip().lower() not in ("", "none")
        for text in values("x-auto-response-suppress")
    )
    answers = (*values("in-reply-to"), *values("references"))
    return asked and any(map(str.strip, answers))


def is_notice(part: Part) -> bool:
    """Whether a mail with this part is an invitation, a reaction, a receipt or a
    complaint, whatever else it holds."""
    return part.kind in _KINDS


def is_program(sender: str, own_address: str) -> bool:
    """Whether the sender is a daemon, cron, or this server: nobody would read an
    answer."""
    lower = sender.lower()
    return lower.partition("@")[0] in _DAEMONS or lower == own_address.lower()
