"""What sentences look like when they have been said, in any language."""

import re
from functools import cache

from pbm_holomino.languages import Language, Sentence


def pattern(speaker: Language, said: Sentence, **places: str) -> str:
    """The regular expression for a sentence with these expressions in its places; a
    place that a language names twice has the same expression twice."""
    return _pattern(speaker, said, tuple(places.items()))


@cache
def _pattern(
    speaker: Language, said: Sentence, places: tuple[tuple[str, str], ...]
) -> str:
    texts = re.split(r"\{(\w+)\}", speaker.wording(said))
    forms = dict(places)
    texts[::2] = [re.escape(" ".join(text.split(" "))) for text in texts[::2]]
    texts[1::2] = [forms[place] for place in texts[1::2]]
    return "".join(texts)
