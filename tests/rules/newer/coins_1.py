"""The first rules of coins: a coin is a point."""

from pbm_holomino.rules.contract import Game

from .coins import Coins, State


class FirstCoins(Coins):
    VERSION = 1
    worth = 1


GAME: Game[State, int] = FirstCoins()
