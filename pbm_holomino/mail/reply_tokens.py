"""Where a letter's reply token is besides its Message-ID, for providers that change
that (`reply_token`): in an address of ours, `address+id@host`, or in a line at the
letter's end. Both hold the letter's id, which a reply brings back."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from pbm_holomino.languages import Sentence, sentence
from pbm_holomino.match.account import TOKEN
from pbm_holomino.store.config import IN_MESSAGE_ID, IN_REPLY_TO, Config, tagged

_MOST_FOUND = 10  # in one mail
_ID = rf"[a-z0-9_.]{{1,80}}\.{TOKEN}"


def address(letter_id: str, config: Config) -> str:
    """Our address with a letter's id. Empty if there is none, or no room for it."""
    if config.reply_token != IN_REPLY_TO:
        return ""
    proof = _proof(letter_id)
    return tagged(config.address, proof) if proof else ""


def line(letter_id: str, config: Config) -> Sentence | None:
    """The line at the end of a letter; None if it needs none."""
    if config.reply_token == IN_MESSAGE_ID or address(letter_id, config):
        return None
    proof = _proof(letter_id)
    return sentence("Please quote: {proof}", proof=f"[{proof}]") if proof else None


def without_token(letter_id: str, config: Config) -> str:
    """What a letter that follows this one calls it. A reply copies that, and would seem
    to answer this letter where the Message-ID of the other is not ours any more."""
    if config.reply_token == IN_MESSAGE_ID:
        return letter_id
    return letter_id.rpartition(".")[0]


def brought_back(to: Iterable[str], text: str, own_address: str) -> Iterator[str]:
    """The letters' ids, as Message-IDs, in the addresses that a mail goes to and in
    what it quotes."""
    local, _, domain = map(re.escape, own_address.lower().rpartition("@"))
    tagged = rf"(?<![\w.+-]){local}\+({_ID})@{domain}(?![\w.-])"
    places = [(tagged, each.lower()) for each in to if "+" in each]
    places += [(rf"\[({_ID})\]", text)] if "[" in text else []
    for pattern, place in places:
        for found in islice(re.finditer(pattern, place), _MOST_FOUND):
            yield f"<{found[1]}@{own_address.rpartition('@')[2]}>"


def _proof(letter_id: str) -> str:
    """A letter's id up to its token; empty without one."""
    found = re.match(rf"{_ID}(?=\.|$)", letter_id)
    return found[0] if found else ""
