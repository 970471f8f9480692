"""Letters on their way out: from data to a message, and how it leaves."""

import os
import time
from binascii import b2a_qp

from pbm_holomino.config import Config
from pbm_holomino.errors import CannotSend, StoreTrouble
from pbm_holomino.letters import Letter
from pbm_holomino.postman import Post
from pbm_holomino.store import Store

OUTBOX = "outbox"
_LONGEST_LINE = 998  # that a mail may have
_FOR_EVER = 500  # SMTP's codes from here on are no for ever
_LONGEST_COMPLAINT = 200  # characters of sendmail's that the owner is told
_PATIENCE = 60  # seconds that sendmail or an SMTP server may take


def sender(config: Config, store: Store) -> Post:
    """What sends a letter the way that the owner has chosen. It raises CannotSend."""
    ways = {"outbox": _to_outbox, "sendmail": _by_sendmail, "smtp": _by_smtp}
    way = ways[config.send]
    return lambda letter: way(letter, message(letter, config), config, store)


def message(letter: Letter, config: Config) -> bytes:
    """The letter as a mail. Letters are never answered by a program, and bounces
    have nowhere to go."""
    lines = [line.rstrip() for line in letter.text.splitlines()]
    text = "".join([f"{line}\n" for line in lines])
    charset, encoding, body = "us-ascii", "7bit", text.encode("ascii", "replace")
    # what people write to each other, and what is meant for a program
    if not text.isascii() or max(map(len, lines), default=0) > _LONGEST_LINE:
        charset, encoding = "utf-8", "quoted-printable"
        body = b2a_qp(text.encode("utf-8"), istext=True)
    headers = {
        "From": config.address,
        "Reply-To": letter.reply_to,
        "To": ",\n ".join(letter.to),
        "Subject": letter.subject,
        "Date": time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime()),
        "Message-ID": _message_id(letter.key, config),
        "In-Reply-To": letter.answers,
        "References": _references(letter, config),
        "Auto-Submitted": "auto-replied" if letter.replied else "auto-generated",
        "X-Loop": config.address,
        "MIME-Version": "1.0",
        "Content-Type": f"text/plain; charset={charset}",
        "Content-Transfer-Encoding": encoding,
    }
    head = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return f"{head}\n".encode("ascii", "replace") + body


def _references(letter: Letter, config: Config) -> str:
    if letter.thread and letter.thread != letter.key:
        return _message_id(letter.thread, config)
    return letter.answers


def _message_id(key: str, config: Config) -> str:
    return f"<{key}@{config.domain}>"


def _to_outbox(letter: Letter, mail: bytes, config: Config, store: Store) -> None:
    try:
        store.drop(OUTBOX, f"{letter.key}.eml", mail)
    except StoreTrouble as error:
        raise CannotSend(str(error)) from None


def _by_sendmail(letter: Letter, mail: bytes, config: Config, store: Store) -> None:
    import subprocess  # slow to load

    words = [config.sendmail, "-i", "-f", "", "--", *letter.to]
    try:
        done = subprocess.run(
            words, input=mail, capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotSend(f"{config.sendmail} does not work: {error}.") from None
    # to nobody's address a letter is as good as sent
    if done.returncode not in (os.EX_OK, os.EX_NOUSER, os.EX_NOHOST):
        why = f"{done.returncode}{_last_words(done.stderr)}"
        raise CannotSend(f"{config.sendmail} failed with {why}.")


def _last_words(complaint: bytes) -> str:
    """How a program said for its owner what is wrong."""
    lines = complaint.decode("ascii", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    return f" ({said[-1][:_LONGEST_COMPLAINT]})" if said else ""


def _by_smtp(letter: Letter, mail: bytes, config: Config, store: Store) -> None:
    import smtplib  # slow to load

    host, _, port = config.smtp.partition(":")
    try:
        with smtplib.SMTP(host, int(port or 25), timeout=_PATIENCE) as smtp:
            smtp.sendmail("", letter.to, mail.replace(b"\n", b"\r\n"))
    except smtplib.SMTPRecipientsRefused as error:
        if any(code < _FOR_EVER for code, _ in error.recipients.values()):
            raise CannotSend(f"{config.smtp} takes no letters now.") from None
        # nobody has these addresses: the letter is as good as sent
    except (OSError, ValueError, smtplib.SMTPException) as error:
        raise CannotSend(f"{config.smtp} does not take letters: {error}.") from None
