"""The games: each module here is one."""
