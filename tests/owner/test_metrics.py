"""`pbm status --metrics`: numbers for a monitoring system, from the status and from the
log; and the alerts and the dashboard that use them."""

import json
import re
from pathlib import Path

import pytest

from pbm_holomino import __version__, owner
from pbm_holomino.match.times import later, time_at
from pbm_holomino.owner import help as pages
from pbm_holomino.owner import sample
from pbm_holomino.store.contract import TICKED_AT
from tests.house import House
from tests.owner.test_status import make_older

LABELS = r'\{[a-z]+="[^"\\\n]*"\}'
HOUR = ("hour_mails", "hour_commands", "hour_seconds", "hour_longest_seconds")


def metrics(status: int = 0) -> dict[str, float]:
    """The values, by name and label, of a text that keeps to the format: each metric
    with its type, its help and then its values, and an end."""
    answer = owner.run(["status", "--metrics"])
    assert answer.status == status
    *lines, end = answer.text.splitlines()
    assert end == "# EOF"
    found: dict[str, float] = {}
    name = ""
    for number, line in enumerate(lines):
        if line.startswith("# TYPE "):
            name = line.removeprefix("# TYPE ").removesuffix(" gauge")
            assert re.fullmatch("pbm_[a-z_]+", name)
            assert lines[number + 1].startswith(f"# HELP {name} ")
        elif not line.startswith("# HELP "):
            value = re.fullmatch(rf"{name}({LABELS})? ([0-9.]+)", line)
            assert value, line
            assert line.rpartition(" ")[0] not in found
            found[line.rpartition(" ")[0].removeprefix("pbm_")] = float(value[2])
    return found


def test_what_the_status_says(house: House) -> None:
    found = metrics()
    assert found["status"] == found['problems{when="now"}'] == 0
    assert found[f'build{{version="{__version__}"}}'] == 1
    assert (found["store_boards"], found["store_accounts"]) == (1, 2)
    assert found["letters_oldest_age_seconds"] == 0
    ran = later(time_at(), seconds=-100)
    house.store.remember(TICKED_AT, ran)
    house.mark("holo", "1", 0)
    make_older(house, "holo", "1.0.unsent", 40 * 60)
    found = metrics(status=2)
    assert found["status"] == 2
    assert found['problems{when="now"}'] == found["letters_waiting"] == 1
    assert 2400 <= found["letters_oldest_age_seconds"] < 2500
    assert time_at(found["tick_last_timestamp_seconds"]) == ran
    assert "flush_last_timestamp_seconds" not in found  # it has never run


def test_what_cannot_be_known_is_left_out(house: House) -> None:
    found = metrics()
    assert found["log_read"] == 0
    assert not [name for name in found if name.startswith(HOUR)]
    house.settings("address: [")
    assert {*metrics(status=2)} == {
        "status",
        'problems{when="now"}',
        'problems{when="soon"}',
        f'build{{version="{__version__}"}}',
        "store_closed",
        "log_read",
    }


@pytest.mark.parametrize("form", ["{0} {1} {2}: {3}, {4} ms", None])
def test_what_the_log_says_of_the_last_hour(
    house: House, tmp_path: Path, form: str | None
) -> None:
    log = tmp_path / "pbm.log"
    house.settings(f"log: {log}\n")

    def lines(ago: int, *told: tuple[str, str, int]) -> str:
        time = later(time_at(), seconds=-ago)
        written = ""
        for asked, verdict, ms in told:
            values = (time, "0" * 16, asked, verdict, ms)
            keys = ("time", "id", "asked", "verdict", "ms")
            as_json = json.dumps(dict(zip(keys, values, strict=True)))
            written += (form.format(*values) if form else as_json) + "\n"
        return written

    move, other = ("holo move 12", "done", 500), ("hextol move 3", "done", 1500)
    Path(f"{log}.2").write_text("never read")
    Path(f"{log}.1").write_text(
        lines(3700, move, ("holo show 1", "later", 9000))
        + lines(3500, other, ("Re: your command", "not understood", 10))
    )
    log.write_text("\x1b[2J\n" + lines(10, move, ("change password", "later", 250)))
    found = metrics()
    ends = {"done": 2, "later": 1, "not understood": 1, "refused": 0, "unwanted": 0}
    for verdict, number in ends.items():
        assert found[f'hour_mails{{verdict="{verdict}"}}'] == number
    assert found['hour_commands{kind="move"}'] == 2
    assert found['hour_seconds{kind="move"}'] == 2
    assert found['hour_longest_seconds{kind="move"}'] == 1.5
    assert found['hour_commands{kind="change password"}'] == 1
    assert found['hour_commands{kind="other"}'] == 1
    assert 'hour_commands{kind="show"}' not in found


def test_no_line_makes_a_label_of_its_own(house: House, tmp_path: Path) -> None:
    """A log may have been written to by anybody."""
    house.settings(f"log: {tmp_path}/pbm.log\n")
    odd = ['holo x"} 1', "holo " + "y" * 100, "check", "status", "-"]
    (tmp_path / "pbm.log").write_text(
        "".join(f"{time_at()} - {asked}: done, 1 ms\n" for asked in odd)
    )
    found = metrics()
    assert [name for name in found if name.startswith("hour_commands")] == [
        'hour_commands{kind="other"}'
    ]


def test_the_page_names_every_metric(house: House, tmp_path: Path) -> None:
    house.settings(f"log: {tmp_path}/pbm.log\nfetch: maildir:/nowhere\n")
    documented = re.findall(r"^  (pbm_\w+)(?:\{\w+\})?  ", pages.page("watching"), re.M)
    text = owner.run(["status", "--metrics"]).text
    printed = re.findall(r"# TYPE (\w+)", text)
    may_be_unknown = {
        f"pbm_{job}_last_timestamp_seconds" for job in ("fetch", "flush", "tick")
    }
    assert {*printed} <= {*documented} <= {*printed, *may_be_unknown}
    for name in ("alerts", "dashboard"):
        assert {*re.findall(r"\bpbm_\w+", sample.text(name))} <= {*documented}


def test_five_alerts_and_a_dashboard() -> None:
    named = re.findall(r"- alert: (\w+)", sample.text("alerts"))
    assert named == re.findall(r"^  (Pbm\w+) ", pages.page("watching"), re.M)
    assert len(named) == 5
    panels = json.loads(sample.text("dashboard"))["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len({*places}) == len(panels) == 10
