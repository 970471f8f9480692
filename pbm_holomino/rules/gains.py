"""What a page says of moves while a player chooses one."""

from typing import NamedTuple

from pbm_holomino.languages import Sentence, of_number, sentence


class Gains(NamedTuple):
    """Sentences about a `tile` that fits at `n` places, and about a `move`; labels of
    the place `at`, and of one `on` top of others, on what is `below`. A move adds
    `score`, the best that there is adds it at most, or else nothing; this is `n` where
    no places are counted."""

    fits: Sentence = of_number(
        "{tile} fits at one place.", "{tile} fits at {n} places."
    )
    fits_best: Sentence = of_number(
        "{tile} fits at one place, and scores {score} at most.",
        "{tile} fits at {n} places, and scores {score} at most.",
    )
    at: Sentence = sentence("position {at}")
    at_best: Sentence = sentence("position {at}, scores {score}")
    on: Sentence = sentence("position {at}, on top of {below}")
    on_best: Sentence = sentence("position {at}, on top of {below}, scores {score}")
    gain: Sentence = sentence("{move} scores {score}.")
    nothing: Sentence = sentence("{move} scores nothing.")
