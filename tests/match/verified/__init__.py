"""The games as "help verify" and their own pages tell them, with every draw: each is a
module of this package, and nothing of the program is imported."""
