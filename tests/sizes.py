"""How much the larger tests try: enough to notice a mistake each time, and with
`bin/check --full` as much as they ever do."""

full = False  # set by the option


def sized(small: int, large: int) -> int:
    """A number of games, examples or cases to try."""
    return large if full else small
