"""The letters to the owner of the server, about what nobody else may notice."""

from collections.abc import Mapping
from hashlib import sha256

from pbm_holomino.letters.content import (
    Lines,
    Page,
    Paragraph,
    Words,
    content,
    said,
)
from pbm_holomino.letters.letter import Letter
from pbm_holomino.match.signing_in import OWNERS_MINUTES
from pbm_holomino.sentences import fill
from pbm_holomino.store.config import Config
from pbm_holomino.store.contract import UNDELIVERABLE


def undelivered(refused: Mapping[str, str], config: Config, hour: str) -> Letter:
    """That copies were refused for good: why, by the addresses. There is one such
    letter in an hour of the log."""
    listed = "".join(f"\n{fill(f'{to}: {why}', '  ')}" for to, why in refused.items())
    text = fill(
        f"A letter from {config.address} could not be delivered. It is kept in the "
        f"folder {UNDELIVERABLE} of the store:"
    )
    how = fill(
        'When the cause is gone, "pbm flush --undeliverable" sends all that is kept '
        'there again. "pbm check" says how many letters there are. There may be more '
        "in this hour: you get at most one of these letters an hour."
    )
    return Letter(
        key=f"owner.{hour}",
        to=(config.owner,),
        subject="A letter could not be delivered",
        content=said(f"{text}{listed}\n{how}"),
        replied=False,
    )


def report(reporter: str, other: str, words: str, owner: str, source: str) -> Letter:
    """That a player has something to say about another. `source` is that of the form
    in which they said it."""
    lead = f"{reporter} has written to you about {other}:"
    how = fill(
        f'Only you get this. "message {reporter}" answers it, and "message {other}" '
        'asks the other player ("pbm help message").'
    )
    return Letter(
        key=f"owner.report.{sha256(source.encode()).hexdigest()[:16]}",
        to=(owner,),
        subject=f"{reporter} reports {other}",
        content=content((Paragraph(lead), Words(words)), (Lines(how),)),
        replied=False,
        once=True,
    )


def link(page: str, owner: str) -> Letter:
    """The link to the page that shows how the server is."""
    lead = "Somebody, probably you, has asked for the page of this server's owner:"
    how = fill(
        f"The link works for {OWNERS_MINUTES} minutes, for everybody who has it. "
        "Nothing can be changed there. If it was not you, nobody else has got it."
    )
    return Letter(
        key=f"owner.page.{sha256(page.encode()).hexdigest()[:16]}",
        to=(owner,),
        subject="How the server is",
        content=content((Paragraph(lead), Page(page)), (Lines(how),)),
        replied=False,
        once=True,
    )


def unfetched(why: str, owner: str, day: str) -> Letter:
    """That no mail can be fetched, as a sentence says. There is one such letter in a
    day of the log."""
    how = fill(
        "What people send waits in the mailbox meanwhile. When the cause is gone, it "
        'is fetched: "pbm run" tries again by itself, at once if the file with the '
        'password or the tokens has changed. "pbm status" says whether it works. You '
        "get at most one of these letters a day."
    )
    return Letter(
        key=f"owner.mailbox.{day}",
        to=(owner,),
        subject="No mail can be fetched",
        content=said(f"{fill(why)}\n{how}"),
        replied=False,
    )
