"""Sock accounts: many that somebody has just made, to ask for everything with each of
them; and the regulars, whom they must not keep waiting."""

from pbm_holomino.match.times import later
from tests.house import PASSWORDS, House, mail_of

A_WHILE = 8  # days: longer than an account is new


def socks(house: House, count: int, name: str = "sock") -> list[str]:
    """So many new accounts, each with an address."""
    names = [f"{name}{number}" for number in range(1, count + 1)]
    house.sign_up(*names)
    house.taken()
    return names


def password(who: str) -> str:
    """The password of a player, or of a sock."""
    return PASSWORDS.get(who, "secret")


def regulars(house: House, first: str = "alice", second: str = "bob") -> None:
    """Two players finish a game by score, and then some days pass. New accounts are
    those that are made after this."""
    board = house.challenge("-num_digits=4", f"{first} {second}")
    house.play(board)
    result = house.match(board).result
    assert result is not None
    assert result.reason == "score"
    house.time = later(house.time, days=A_WHILE)
    house.taken()


def all_at_once(who: str, lines: list[str], name: str) -> bytes:
    """One mail with many commands of a player; the name tells it from others."""
    header = {"Message_ID": f"<{name}@example.net>"}
    return mail_of("multiple", f"{who}@example.org", "\n".join(lines), **header)
