"""New settings for a process that stays."""

from collections.abc import Callable

from pbm_holomino.errors import PbmError
from pbm_holomino.resident.report import NEW_SETTINGS, OLD_SETTINGS
from pbm_holomino.store.home import Home, reopened


def reloaded(
    home: Home,
    say: Callable[[str], None],
    check: Callable[[Home], object] = lambda home: None,
) -> Home | None:
    """The home with the settings as they are now; None if they cannot be used: those of
    before stay. The owner is told. `check` raises PbmError for what else is wrong."""
    try:
        fresh = reopened(home)
        check(fresh)
    except PbmError as error:
        say(f"{OLD_SETTINGS} {error}")
        return None
    say(NEW_SETTINGS)
    return fresh
