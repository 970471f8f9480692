"""`change zone`: times by a player's own clock, from then on."""

from collections.abc import Iterator

import pytest

from pbm_holomino.languages import Day, Moment, known, sentence, zones
from pbm_holomino.owner import check
from tests.club import Club
from tests.prose import plain

pytestmark = pytest.mark.needs("tzdata")

EIGHT = "2026-11-20T08:00:00Z"


def reads(club: Club) -> str:
    player = club.server.library.player("alice")
    assert player is not None
    return player.language_at(club.server.time)


@pytest.mark.parametrize(
    ("word", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("new_york", "America/New_York"),
        ("America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
    ],
)
def test_a_zone_is_chosen_by_its_name_or_its_city(
    club: Club, word: str, zone: str
) -> None:
    club.say(f"change zone alice {{alice}} {word}")
    assert reads(club) == f"en@{zone}"


def test_the_answer_says_what_time_it_is_there(club: Club) -> None:
    club.server.time = EIGHT
    said = plain(club.say("change zone alice {alice} Asia/Tokyo"))
    assert said == (
        "Times will be those of Asia/Tokyo from now on, alice: it is 2026-11-20, 17:00 "
        "there."
    )


def test_utc_again_is_no_choice_any_more(club: Club) -> None:
    club.say("change zone alice {alice} Asia/Tokyo")
    club.server.time = "2026-11-21T08:00:00Z"
    said = club.say("change zone alice {alice} utc")
    assert said == "Times will be in UTC from now on, alice.\n"
    assert reads(club) == "en"


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("Europe/Berln", "Europe/Berlin"),
        ("Berlim", "Europe/Berlin"),
        ("Europe/Londn", "Europe/London"),
    ],
)
def test_a_typo_is_answered_with_the_nearest(club: Club, word: str, near: str) -> None:
    said, _ = club.refused_line(f"change zone alice {{alice}} {word}")
    assert f'not a zone that is known here. Did you mean "{near}"?' in said


@pytest.mark.parametrize("word", ["xyzzy", "../../etc/passwd", "/etc/localtime", "+2"])
def test_anything_else_with_examples_and_no_list(club: Club, word: str) -> None:
    said, _ = club.refused_line(f"change zone alice {{alice}} {word}")
    assert "such as Europe/Berlin, America/New_York or UTC." in said
    assert len(said) < 400


SAID = sentence("{day} {when}", day=Day(EIGHT), when=Moment(EIGHT))


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("America/Los_Angeles", "2026-11-20 2026-11-20, 00:00"),
        ("America/Anchorage", "2026-11-19 2026-11-19, 23:00"),
        ("Asia/Kathmandu", "2026-11-20 2026-11-20, 13:45"),
        ("UTC", "2026-11-20 2026-11-20, 08:00 UTC"),
        # chosen on a machine that had other data
        ("Atlantis/Poseidonis", "2026-11-20 2026-11-20, 08:00 UTC"),
    ],
)
def test_times_are_those_of_a_zone_and_utc_is_named(zone: str, said: str) -> None:
    assert known.language(f"en@{zone}").say(SAID) == said


def test_a_time_that_no_calendar_has_there_stays_as_it_is() -> None:
    said = sentence("{when}", when=Moment("9999-12-31T23:00:00Z"))
    assert known.language("en@Asia/Tokyo").say(said) == "9999-12-31, 23:00"


def test_in_a_history_all_times_are_in_utc(club: Club) -> None:
    club.say("change zone alice {alice} Asia/Tokyo")
    club.open("holo").accept()
    club.server.time = EIGHT
    for line in ("move 1 alice {alice} propose pause 2", "move 1 bob {bob} accept"):
        club.say(f"holo {line}")
    told = plain(club.say("holo history 1 alice {alice}"))
    assert "lasts until 2026-11-22, 08:00 UTC or the next move." in told


def test_letters_are_in_the_zone_that_was_in_force(club: Club) -> None:
    club.server.time = EIGHT
    club.say("change zone bob {bob} Asia/Tokyo")
    club.server.sent.clear()
    club.server.challenge("", "alice bob", "holo")
    letters = club.letters()
    assert "2026-12-11, 17:00, and" in plain(letters["bob"].text)
    assert "2026-12-11, 08:00 UTC to move" in plain(letters["alice"].text)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without data about zones."""

    def clear() -> None:
        for each in (zones.zone, zones.names, known.language):
            each.cache_clear()

    def missing(name: str) -> None:
        raise KeyError(name)

    clear()
    monkeypatch.setattr(zones, "available_timezones", set)
    monkeypatch.setattr(zones, "ZoneInfo", missing)
    yield
    monkeypatch.undo()
    clear()


def test_a_machine_without_zones_tells_times_in_utc_and_its_owner_why(
    club: Club, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    club.say("change zone alice {alice} Asia/Tokyo")
    request.getfixturevalue("nowhere")
    assert known.language(reads(club)).say(SAID) == "2026-11-20 2026-11-20, 08:00 UTC"
    said, _ = club.refused_line("change zone bob {bob} Europe/Berlin")
    assert said.startswith("This server knows no zone but UTC")
    club.say("change zone alice {alice} UTC")


def test_check_names_zones_that_are_not_known(
    club: Club, request: pytest.FixtureRequest
) -> None:
    club.say("change zone alice {alice} Asia/Tokyo")
    assert not list(check._zones(club.server.library))
    request.getfixturevalue("nowhere")
    (said,) = check._zones(club.server.library)
    assert said.startswith("This machine has no data about the zone Asia/Tokyo:")
