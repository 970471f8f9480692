"""The text that a command passes on: without passwords, commands, and what it quotes of
letters of ours."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from pbm_holomino import rules
from pbm_holomino.commands import table
from pbm_holomino.commands.asker import asker
from pbm_holomino.commands.request import Request
from pbm_holomino.commands.table import Effect
from pbm_holomino.commands.texts import (
    before_quote,
    before_secret,
    passed_on,
    without_commands,
    without_links,
)
from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters.writing import texts, words_of
from pbm_holomino.match.ledgers import Ledger
from pbm_holomino.store.library import Library
from pbm_holomino.store.people import People


def with_own_words(request: Request, library: Library, people: People) -> Request:
    """The request with the text that it passes on: that of its mail, or else what was
    typed with it; without the password, and without whole commands, as these may hold
    one that is not in the command itself. A text that is not passed on stays as it
    is."""
    command = table.find(request)
    if command.takes_pictures:
        return request._replace(body=request.origin.text or request.body)
    most = command.most_text
    for text in (request.origin.text, request.body):
        if body := without_links(passed_on(text, request.password, most)):
            who = (request.userid, *request.words)
            body = without_commands(body, table.in_texts(), who)
            break
    return _unquoted(request._replace(body=body), library, people)


def without_letters(request: Request, ledger: Ledger, people: People) -> Request:
    """The request without what its text quotes of the last letters about a ledger to
    its player, in whichever language they were: some programs quote without any mark,
    and a letter may show what only its reader may know."""
    who, body = request.userid, request.body
    if not (body and request.origin.by_mail):
        return request
    words, reader = words_of(ledger), people.readable(who)
    body = before_secret(body, lambda: words.secrets(ledger, who))
    for letter in words.quotable(ledger, who, body):
        body = before_quote(body, partial(texts, reader, letter))
    return request._replace(body=body)


def _unquoted(request: Request, library: Library, people: People) -> Request:
    """The request without what its text quotes of letters about boards that it names,
    if the command is about no board that will be looked at."""
    is_about_board = request.game and table.find(request).effect is Effect.CHANGES
    if not request.body or not request.origin.by_mail or is_about_board:
        return request
    sender = None if request.userid else asker(request, people)
    who = sender.userid if sender else request.userid
    named = dict.fromkeys(_boards_named(request.body)) if who else ()
    for game, board in islice(named, _MOST_NAMED):
        with suppress(CorruptFile, NotFound):
            match = library.match(game, board)
            cut = without_letters(request._replace(userid=who), match, people)
            request = request._replace(body=cut.body)
    return request


_MOST_NAMED = 2  # boards in a text that are looked at, as they may be quoted there


def _boards_named(text: str) -> Iterator[tuple[str, int]]:
    """The boards that a text names: `holo 12`, or `Holomino, board 12`, with the word
    for a board in whichever language."""
    games = "|".join(rules.names())
    for found in re.finditer(rf"(?i)\b({games})\s+([1-9][0-9]{{0,8}})\b", text):
        yield found[1].lower(), int(found[2])
    titled = re.findall(r"(?i)\b([a-z]+),?\s+\w+\s+([1-9][0-9]{0,8})\b", text)
    for game in rules.names() if titled else ():
        title = rules.load(game).TITLE.lower()
        yield from ((game, int(no)) for named, no in titled if named.lower() == title)
