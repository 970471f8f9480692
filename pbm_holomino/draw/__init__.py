"""Pictures of boards, made from what a game says of its board."""
