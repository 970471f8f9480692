"""The kinds of ledgers: each module has the name of the folder that has them."""
