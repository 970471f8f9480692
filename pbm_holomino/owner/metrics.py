"""`pbm status --metrics`: the status, and what the log says of the last hour, in the
text format of OpenMetrics, for a program that collects such files.

All metrics are gauges, which older readers of the format know, too; and a counter would
jump whenever the oldest file of the log goes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pbm_holomino import __version__, rules
from pbm_holomino.commands import table
from pbm_holomino.errors import PbmError
from pbm_holomino.match.times import later, parse_time, time_at
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.owner import log
from pbm_holomino.server.journal import VERDICTS, Line
from pbm_holomino.store.home import open_home

_WINDOW = 3600  # seconds of the log that are counted
_OTHER = "other"  # the kind of a mail that is no command
_TIME, _AGE = "_timestamp_seconds", "_age_seconds"  # how names end whose value is so

# Metrics of one value: the part of the status and its field, and what they say.
_FIELDS = {
    "letters_waiting": ("letters.waiting", "Events whose letters wait."),
    "letters_oldest_age_seconds": ("letters.since", "How long the first has waited."),
    "letters_undeliverable": ("undeliverable.count", "Letters refused for good."),
    "mails_delayed": ("mails.waiting", "Mails that must be fetched again."),
    "mails_quarantined": ("quarantine.count", "Mails in quarantine."),
    "fetch_last_timestamp_seconds": ("mailbox.looked", "When mail was last fetched."),
    "flush_last_timestamp_seconds": ("flush.ran", "When pbm flush last ran."),
    "tick_last_timestamp_seconds": ("tick.ran", "When pbm tick last ran."),
    "boards_overdue": ("overdue.count", "Boards out of time for three hours."),
    "boards_damaged": ("damage.count", "Boards that cannot be read."),
    "robots_boards": ("robots.waiting", "Boards that wait for a robot."),
    "robots_hints": ("robots.hints", "Hints that players wait for."),
    "robots_reviews": ("robots.reviews", "Reviews that players wait for."),
    "robots_oldest_age_seconds": ("robots.since", "How long the first has waited."),
    "disk_free_bytes": ("disk.free", "Room on the disk of config.yaml."),
    "store_boards": ("store.boards", "Boards in the store."),
    "store_accounts": ("store.accounts", "Accounts in the store."),
    "store_bytes": ("store.bytes", "What the store takes up."),
}


class Metric(NamedTuple):
    """A metric: its name without the prefix, what it says, and its values by the label
    that they have, such as `kind="move"`, or by an empty one."""

    name: str
    help: str
    values: Mapping[str, float]

    def __str__(self) -> str:
        lines = [f"# TYPE pbm_{self.name} gauge", f"# HELP pbm_{self.name} {self.help}"]
        for label, value in self.values.items():
            number = f"{value:.3f}".rstrip("0").rstrip(".")
            lines.append(f"pbm_{self.name}{label and f'{{{label}}}'} {number}")
        return "".join(f"{line}\n" for line in lines)


def text(
    parts: Mapping[str, Mapping[str, Any]], status: int, now: int, soon: int
) -> str:
    """All metrics, for a report with these parts, this exit status, and so many things
    to look at `now` or `soon`. What is not known is left out."""
    whole = Metric("status", "The exit status of pbm status: 0, 1 or 2.", {"": status})
    problems = _labelled("when", {"now": now, "soon": soon})
    version = _labelled("version", {__version__: 1})
    metrics = (
        whole,
        Metric("problems", "What somebody should look at.", problems),
        Metric("build", "The version of the program.", version),
        *_of_parts(parts),
        *_of_log(),
    )
    return "".join(map(str, metrics)) + "# EOF\n"


def _labelled(label: str, values: Mapping[str, float]) -> Mapping[str, float]:
    return {f'{label}="{key}"': value for key, value in values.items()}


def _of_parts(parts: Mapping[str, Mapping[str, Any]]) -> Iterator[Metric]:
    now = time_at()
    for name, (path, about) in _FIELDS.items():
        part, _, field = path.partition(".")
        fields = parts.get(part, {})
        # what waits since no time has no age
        value = fields.get(field, now if fields and name.endswith(_AGE) else None)
        if value is not None:
            yield Metric(name, about, {"": _read(name, value, now)})
    closed = bool(parts.get("closed"))
    yield Metric("store_closed", "1 if the store takes nothing.", {"": closed})


def _read(name: str, value: Any, now: str) -> float:
    """The value of a metric with this name, from a field of the status."""
    if name.endswith(_TIME):
        return parse_time(value).timestamp()
    if name.endswith(_AGE):
        return max(0.0, (parse_time(now) - parse_time(value)).total_seconds())
    return float(value)


# The log


class Hour:
    """What the log says of the mails since some time: how many came to which end; and
    for each kind of command how many there were, how many seconds they took together,
    and how many the longest of them took."""

    def __init__(self, since: str) -> None:
        self._since = since.encode("ascii")
        self.is_whole = False  # whether the log goes back so far
        self.verdicts: dict[str, float] = dict.fromkeys(VERDICTS, 0)
        self.mails = dict[str, float]()
        self.seconds = dict[str, float]()
        self.longest = dict[str, float]()

    def add(self, raw: bytes) -> None:
        """Count a line, unless it is of an earlier time, or no line of the log."""
        start = raw.find(b'"') + 9 if raw.startswith(b"{") else 0
        if raw[start : start + len(self._since)] < self._since:
            self.is_whole |= raw[start : start + 2] == b"20"
        elif line := log.parsed(raw):
            self._count(line)

    def _count(self, line: Line) -> None:
        kind, seconds = _kind(line.asked), line.ms / 1000
        self.verdicts[line.verdict] += 1
        self.mails[kind] = self.mails.get(kind, 0) + 1
        self.seconds[kind] = self.seconds.get(kind, 0.0) + seconds
        self.longest[kind] = max(self.longest.get(kind, 0.0), seconds)


def _kind(asked: str) -> str:
    """The command in a line of the log, without its game and its board."""
    words = [word for word in asked.split() if not word.isdigit()]
    in_game = words[:1] and words[0] in rules.names()
    name = " ".join(words[1:] if in_game else words)
    return name if name in (table.in_game() if in_game else table.at_top()) else _OTHER


def _of_log() -> Iterator[Metric]:
    """What is known of the mails of the last hour; that nothing is, if the log is not a
    file that can be read."""
    hour = _last_hour()
    about = "1 if the setting log names a file: only then there are numbers of mails."
    yield Metric("log_read", about, {"": hour is not None})
    if hour is None:
        return
    values = _labelled("verdict", hour.verdicts)
    yield Metric("hour_mails", "Mails of the last hour, by what came of them.", values)
    values = _labelled("kind", hour.mails)
    yield Metric("hour_commands", "Mails of the last hour, by command.", values)
    values = _labelled("kind", hour.seconds)
    yield Metric("hour_seconds", "What they took together, by command.", values)
    values = _labelled("kind", hour.longest)
    yield Metric("hour_longest_seconds", "What the longest took.", values)


def _last_hour() -> Hour | None:
    try:
        config = open_home().config
        if not config.log:
            return None
        hour = Hour(later(time_at(), seconds=-_WINDOW))
        with log.opened(config) as files:
            for file in files:  # the newest first
                for raw in log.lines_of(file):
                    hour.add(raw)
                if hour.is_whole:
                    break
    except PbmError:
        return None
    return hour
