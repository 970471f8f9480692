"""A further kind of ledger, as a test adds it: one module, and one with its words."""
