"""Garbage in processes that stay; a command ends before there is much of it."""

import gc


def collect_seldom() -> None:
    """Collect garbage from now on, but leave alone what is there by now: it stays."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # boards have many objects, and little is garbage
