"""What robots have said of a position, from the record, which keeps it in English."""

from collections.abc import Sequence

from pbm_holomino.languages import Sentence, as_it_is


def heard(text: str) -> Sentence:
    """What a robot has said, to be said in any language."""
    from pbm_holomino.languages.recognised import Recognised  # few boards need it

    return as_it_is(Recognised(text, _remarks))


def _remarks() -> Sequence[Sentence]:
    from pbm_holomino.robots.remarks import REMARKS  # for other languages than English

    return REMARKS
