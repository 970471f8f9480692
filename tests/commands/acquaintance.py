"""A store that tests of typed lines ask: who has signed up, and who plays where."""

from pbm_holomino.commands.known_names import Known

PLAYERS = ("alice", "bob", "carol")
# who plays on which board; board 5 of holo is over
BOARDS = {
    ("holo", 1): ("alice", "bob"),
    ("holo", 5): (),
    ("holo", 12): ("alice", "bob"),
    ("hextol", 5): ("alice", "carol"),
    ("hextol", 7): ("bob", "carol"),
    ("hextol", 12): ("alice", "carol"),
    ("hextol", 9): ("bob", "carol"),
    ("walomino", 3): ("alice", "bob", "carol"),
}


def known(sender: str = "") -> Known:
    """What that store knows of a line which this player has sent, if it is certain."""
    return Known(
        is_player=lambda userid: userid in PLAYERS,
        senders=lambda: (sender,) if sender else (),
        has_board=lambda game, board: (game, board) in BOARDS,
        plays=lambda userid, game, board: userid in BOARDS.get((game, board), ()),
    )
