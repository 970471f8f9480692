"""What a page says of the moves of a game whose scores do not decide it."""

from typing import NamedTuple

from pbm_holomino.languages import Sentence


class Gains(NamedTuple):
    """Sentences about a `score`, what a move adds, which is their number `n`, but where
    that counts the places."""

    fits: Sentence  # a `tile` at `n` places, where it adds `score` at most
    position: Sentence  # a label: a move to the place `at`
    on_top: Sentence  # a label: a move to the place `at`, onto what is `below`
    gain: Sentence  # a `move`
    nothing: Sentence  # a `move` that adds nothing
