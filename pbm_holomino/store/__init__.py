"""Where things are kept: the only code that knows."""
