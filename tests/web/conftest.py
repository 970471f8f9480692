"""Pages are made in the thread of the test."""

from tests.web.browser import without_threads

__all__ = ["without_threads"]
