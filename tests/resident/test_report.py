"""What a server that stays says to its owner, and how often."""

import logging

import pytest

from pbm_holomino.errors import StoreTrouble
from pbm_holomino.resident.report import MOST_AN_HOUR, Rarely
from pbm_holomino.web import serve


class Heard:
    """What the owner hears, by a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines = list[str]()
        self.say = Rarely(self.lines.append, lambda: self.now)


def test_the_same_is_said_once_an_hour() -> None:
    heard = Heard()
    for _ in range(1000):
        heard.say("The database cannot be reached.")
    heard.say("The disk is full.")
    assert heard.lines == ["The database cannot be reached.", "The disk is full."]
    heard.now = 3600.0
    heard.say("The disk is full.")
    assert heard.lines[2:] == [
        "and 999 more such lines in the hour before",
        "The disk is full.",
    ]


def test_an_hour_has_so_many_lines() -> None:
    heard = Heard()
    for hour in range(3):
        heard.now = 3600.0 * hour
        for number in range(100):
            heard.say(f"{hour}.{number}")
    assert len(heard.lines) == 3 * MOST_AN_HOUR + 2


@pytest.mark.parametrize("name", ["uvicorn.error", "asyncio"])
def test_errors_of_libraries_are_one_line_without_what_was_asked_for(name: str) -> None:
    lines = list[str]()
    with serve._told(lines.append):
        logger = logging.getLogger(name)
        logger.warning("Invalid HTTP request received.")
        for error in (KeyError("/link/holo/1/0/alice/token"), StoreTrouble("Away.")):
            try:
                raise error
            except Exception as raised:
                logger.error("Exception in ASGI application\n", exc_info=raised)
        logger.error("Cancel %s running task(s)", 3)
    assert len(lines) == 3
    assert lines[0].startswith("KeyError in ")
    assert "token" not in lines[0]
    assert lines[1:] == ["Away.", "Cancel %s running task(s)"]
    assert not logging.getLogger(name).handlers
