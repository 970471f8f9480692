"""Pages for browsers."""
