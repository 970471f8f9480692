"""Whole games by mail: what a player needs to know stands in the letters."""

import re
from collections.abc import Callable, Sequence

from pbm_holomino.rules import load, names
from tests.boards import short, typed
from tests.processes import wait_until
from tests.real.parts import MAIL
from tests.real.players import Letter, Player, Post
from tests.real.postoffice import PLAYERS, PostOffice
from tests.sizes import sized

pytestmark = MAIL

# Those with secrets come last, each game with players of its own.
GAMES = sorted(names(), key=lambda name: load(name).SECRETS)
PAIRS = list(zip(PLAYERS[::2], PLAYERS[1::2], strict=True))


class GameByMail:
    """Two players at a board, from signing up to the end."""

    def __init__(self, office: Post, game: str, *names: str) -> None:
        self.name = f"{game} 1"
        self.players = [Player(name, office) for name in names]
        self.ends: dict[str, Letter] = {}
        self.kept = 0  # letters that might have told a secret of the other player

    def open(self, options: str) -> None:
        for player in self.players:
            player.sign_up()
        game, names = self.name.split()[0], (p.name for p in self.players)
        self.players[0].send(f"{game} challenge {' '.join(names)} {options}")

    def go_on(self) -> bool:
        """Whether all have read that the game is over."""
        for player in self.players:
            end = player.go_on()
            if end is not None:
                self.ends[player.name] = end
        return len(self.ends) == len(self.players)

    def check(self) -> None:
        """What the letters said, when all is done."""
        one, other = self.players
        assert self.ends[one.name].subject == self.ends[other.name].subject
        for player, opponent in ((one, other), (other, one)):
            player.check_threads()
            check_seed(player.letters)
            assert len({letter.id for letter in player.letters}) == len(player.letters)
            for letter in player.letters:
                secret = opponent.secrets.get(letter.asks_for)
                assert secret is None or secret not in letter.text
                self.kept += secret is not None


def check_seed(letters: Sequence[Letter]) -> None:
    """The seed is shown when the game is over, and never before."""
    (seed,) = {s for letter in letters for s in re.findall(r"Seed: (\w+)", letter.text)}
    told = [letter for letter in letters if seed in letter.text]
    assert all("The game is over" in letter.text for letter in told)


def play(games: Sequence[GameByMail], instead: Callable[[], str] = str) -> None:
    """Return when all players have read that their games are over."""
    wait_until(
        lambda: sum(game.go_on() for game in games) == len(games),
        "the end of all games",
        instead,
        lambda: [len(player.letters) for game in games for player in game.players],
    )


def test_whole_games_at_once(office: PostOffice) -> None:
    """A game of Holomino is also played by those whose letters leave by SMTP, and other
    games by those whose mail is fetched."""
    games = []
    for name, pair in zip(GAMES[sized(-2, 0) :], PAIRS, strict=False):
        games.append(GameByMail(office, name, *pair))
        games[-1].open(typed(short(name)))
    play(games)
    for game in games:
        game.check()
        said = game.players[0].ask(f"{game.name.replace(' ', ' verify ')}").text
        assert said.startswith(f"{game.name}: no draw was changed. ")
    # of the wishes, and of the pairs of whoever sends theirs first
    assert games[-1].kept >= 2
    office.settle()
    assert office.waiting() == []
    assert "all is well" in office.account.type("pbm check")


def test_a_whole_game_whose_letters_leave_by_smtp(office: PostOffice) -> None:
    office.open_anew(send="smtp", smtp=f"127.0.0.1:{office.port}")
    game = GameByMail(office, "holo", "alice", "bob")
    game.open("-num_digits=4")
    play([game])
    game.check()
