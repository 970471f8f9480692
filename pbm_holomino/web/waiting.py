"""The boards that wait for whoever reads a page, as data: its script says how many they
are, and leads to the next. A page that is remembered could not say so."""

from starlette.responses import JSONResponse, Response

from pbm_holomino.web.visit import Visit


def waiting(visit: Visit) -> Response:
    """Their names and paths, those that wait longest in front; none for strangers."""
    userid = visit.player.userid if visit.player else ""
    lists = visit.library.lists
    boards = lists.boards_of([userid], "next").boards if userid else ()
    response = JSONResponse(
        [
            {"name": board.name, "path": visit.site.path(board.game, board.board)}
            for board in sorted(boards, key=lambda board: board.last_change)
        ]
    )
    response.headers["Cache-Control"] = "no-store"
    return response
