"""The letters about an account: to its player, to addresses that are not theirs any
more, and to those to whom they write."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from pbm_holomino.errors import CorruptFile, NotFound
from pbm_holomino.letters import account_letters, board_letters
from pbm_holomino.letters.content import Content, content
from pbm_holomino.letters.letter import Attachment
from pbm_holomino.letters.writing import (
    Answerable,
    Notice,
    Proof,
    Proofs,
    Sent,
    Sources,
    Words,
)
from pbm_holomino.match import account
from pbm_holomino.match.account import (
    DELETED,
    LISTS,
    AccountLine,
    Kind,
    Player,
    is_broadcast,
    written_to,
)
from pbm_holomino.match.kinds.players import KIND
from pbm_holomino.match.letter_ids import INVITED, LetterId, of_boards
from pbm_holomino.match.tokens import (
    Tokens,
    account_lines,
    account_token,
    invitation_word,
    language_word,
    show_command,
    unsubscribe_command,
    words_token,
)
from pbm_holomino.store.people import People

OWN, FORMER = "", "old"  # how letters' keys name the player, and their old addresses


class _Players(Words[Player]):
    def readers(self, ledger: Player, line: int, sources: Sources) -> Iterator[str]:
        made = KIND.line(ledger, line)
        if not made.answered_apart or made.action.kind is Kind.EXPORT:
            yield OWN
        if account_letters.former_addresses(ledger, made):
            yield FORMER
        if _invited(ledger, made):
            yield INVITED
        yield from _written_to(ledger, made, sources.people)

    def account(self, ledger: Player, reader: str, people: People) -> Player | None:
        if reader in (OWN, FORMER, INVITED):
            return ledger
        return people.player(reader)

    def own_name(self, ledger: Player, line: int) -> str:
        return OWN

    def notice(
        self, ledger: Player, line: int, reader: str, player: Player, sources: Sources
    ) -> Notice:
        made = KIND.line(ledger, line)
        if reader == OWN:
            return _to_player(ledger, made, sources)
        if reader == FORMER:
            return Notice(
                account_letters.account_subject(ledger, made),
                account_letters.farewell(ledger, made),
                to=account_letters.former_addresses(ledger, made),
            )
        if reader == INVITED:
            return _invitation(ledger, made, sources)
        return Notice(
            account_letters.message_subject(ledger, made),
            account_letters.message(ledger, made),
            is_optional=is_broadcast(made),
        )

    def said(self, ledger: Player, line: int, people: People) -> Content:
        made = KIND.line(ledger, line)
        if made.action.kind is Kind.EXPORT:
            return account_letters.export_on_its_way(ledger, made)
        return _content(ledger, made, people)

    def comes_once(self, ledger: Player, line: int) -> bool:
        return KIND.line(ledger, line).action.kind is Kind.EXPORT

    def proofs(self, ledger: Player, key: bytes) -> Proofs:
        def proof(line: int, reader: str) -> Proof:
            made = KIND.line(ledger, line)
            if reader in (OWN, FORMER):
                token = account_token(key, made, ledger.userid if not reader else "")
                return Proof(LetterId(*ledger.key, line, reader, token))
            if reader == INVITED:
                # it is that of their address, as the account forgets the line
                address, _ = _invited(ledger, made)
                token = invitation_word(key, address).removeprefix("~")
                return Proof(LetterId(*ledger.key, line, reader, token))
            # nothing in it follows from what else the writer does with their account
            token = words_token(key, made, reader)
            return Proof(LetterId(*ledger.key, 0, reader, token))

        return proof

    def sent(
        self, ledger: Player, letter: LetterId, sources: Sources
    ) -> Iterator[Sent]:
        if ledger.status == DELETED:
            return
        key, reader = sources.key, letter.reader or letter.name
        for line, token in account_lines(key, ledger, letter.line, reader):
            tags = () if letter.reader else _tags(line, sources)
            if tags:
                known = of_boards(key, ledger.key, letter.line, tags)
                if letter.more not in ("", known.more):
                    continue
                token = known.token
            yield Sent(line.no or 0, line.time, token, tags)

    def answerable(self, ledger: Player, line: int, reader: str) -> Answerable | None:
        made = KIND.line(ledger, line)
        if reader == OWN:
            return Answerable(partial(account_letters.account_content, ledger, made))
        if made.action.kind not in account.WORDS:
            return None
        letter = partial(account_letters.message, ledger, made)
        return Answerable(letter, ledger.userid)


WORDS = _Players()


def _invited(player: Player, line: AccountLine) -> tuple[str, ...]:
    """The address to which a line invites somebody, until the letter has left, and a
    userid for them; nothing for other lines."""
    is_one = line.action.kind is Kind.INVITE
    return tuple(player.notes.get(line.no or 0, "").split()) if is_one else ()


def _invitation(player: Player, line: AccountLine, sources: Sources) -> Notice:
    """What somebody reads whom a player has invited."""
    from pbm_holomino.letters import invitations  # few letters are

    address, userid = _invited(player, line)
    word, (game, *_) = invitation_word(sources.key, address), line.action.words
    return Notice(
        invitations.subject(player.userid),
        invitations.invitation(player.userid, game, userid, word),
        to=(address,),
        form="picture",
        stop=invitations.never_command(word),
    )


def _content(player: Player, line: AccountLine, people: People) -> Content:
    """What a player is told after a line of their account's log."""
    readers = map(people.readable, _written_to(player, line, people))
    return account_letters.account_content(player, line, [*filter(None, readers)])


def _written_to(writer: Player, line: AccountLine, people: People) -> Sequence[str]:
    """The readers of the words that came with a line, if any did."""
    names = written_to(line)
    if is_broadcast(line) and not names:
        names = _everybody_else(writer, people)
    # some may have blocked the writer since
    deaf = people.blockers(names, writer.userid)
    return [name for name in names if name not in deaf]


def _everybody_else(writer: Player, people: People) -> tuple[str, ...]:
    """The readers of a broadcast: those who are signed on now and want broadcasts,
    unless one of the two has blocked the other."""
    who, deaf = writer.userid, (writer.userid, *writer.blocked)
    return tuple(
        name
        for name, player in people.signed_on().items()
        if player.broadcasts and name not in deaf and who not in player.blocked
    )


def _to_player(player: Player, line: AccountLine, sources: Sources) -> Notice:
    """What a player is told about a line of their account's log."""
    kind = line.action.kind
    board = account_letters.board_of(line)
    if board is not None:
        match = sources.match(board.game, board.board).at(board.line)
        match = sources.people.at_present(match)
        subject, reminding = board_letters.reminder(match, player.userid)
        return Notice(subject, reminding, about=match)
    told = _content(player, line, sources.people)
    attachments: tuple[Attachment, ...] = ()
    if kind is Kind.EXPORT:
        from pbm_holomino.letters import exports  # few letters bring files

        boards = sources.boards(player.userid)
        packed = exports.by_mail(
            player, line.time, boards, sources.match, sources.notes(player.userid)
        )
        told = content(*told, account_letters.what_is_left_out(packed.is_whole))
        name = f"{player.userid}.zip"
        attachments = (Attachment(name, exports.KIND, packed.content),)
    if kind is Kind.SIGNUP:
        word = language_word(sources.key, player.userid)
        told = content(*told, *account_letters.other_languages(player, line, word))
    if kind in LISTS:
        told = _linked(told, player, sources)
    if kind is Kind.WAITING:
        stop = unsubscribe_command(sources.key, player.userid)
        told = content(*told, account_letters.how_to_stop(stop))
    return Notice(
        account_letters.account_subject(player, line),
        told,
        replied=not line.by_server,
        is_optional=kind is Kind.WAITING,
        tags=_tags(line, sources),
        attachments=attachments,
    )


def _tags(line: AccountLine, sources: Sources) -> tuple[str, ...]:
    """The tags of the boards that a list names, as they were then."""
    return tuple(_tags_of(account_letters.boards_of(line), line.who, sources))


def _tags_of(
    boards: Sequence[account_letters.Reminded], who: str, sources: Sources
) -> Iterator[str]:
    for game, board, last in boards:
        with suppress(CorruptFile, NotFound):
            match = sources.match(game, board)
            if last < len(match.log) and who in match.record.players:
                yield Tokens(sources.key, match).tag(last, who)


def _linked(told: Content, player: Player, sources: Sources) -> Content:
    """Lists of boards, of which each has a link that brings it."""
    from pbm_holomino.letters import reminders  # few letters are lists

    def command(game: str, board: int) -> str:
        try:
            match = sources.match(game, board)
        except (CorruptFile, NotFound):
            return ""
        return show_command(sources.key, match, player.userid)

    return reminders.linked(told, command)
