"""Boards in half the width, for narrow screens: a module for each kind of tile."""
