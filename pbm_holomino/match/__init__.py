"""What happens between players: a board's log, replayed. Pure."""
