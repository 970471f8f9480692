"""What events say, as tests compare it."""

from collections.abc import Iterable

from pbm_holomino.rules.contract import Event


def told(event: Event) -> str:
    """What is said of an event, without its subject and its full stop: `drew 145`."""
    return str(event.said.about("")).removeprefix(" ").removesuffix(".")


def all_told(events: Iterable[Event]) -> list[tuple[int, str]]:
    """The same of several, each with its seat."""
    return [(event.seat, told(event)) for event in events]
