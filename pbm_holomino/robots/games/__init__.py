"""The robots made for a game: a module for each, by the game's name."""
