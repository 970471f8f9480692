"""Pages for browsers, over the same transaction as mail and shell."""
