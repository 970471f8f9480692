"""The public interface, which is the same for all games: what there is, in order."""

import json
import re
from itertools import pairwise
from typing import Any

from pbm_holomino.match.board import Match
from pbm_holomino.rules.grid import neighbours
from tests import boards
from tests.boards import Case
from tests.rules.test_contract import every_case
from tests.sizes import some


@every_case
def test_json(case: Case) -> None:
    board = boards.played(boards.opened(case, 12), 12, most=200)
    for line in some(range(len(board.steps)), 15):
        check_json(board.at(line), case)


@every_case
def test_pools_are_in_the_order_of_drawing(case: Case) -> None:
    """From one move to the next, as long as the tiles stay what they are, a pool loses
    no more than the tile that was played and grows at its end."""
    board = boards.played(boards.opened(case, 5), 5, most=60)
    lines = [json.loads(_shown(board, line)) for line in range(len(board.steps))]
    for before, after in pairwise(lines):
        if (before["phase"], before["round"]) != (after["phase"], after["round"]):
            continue
        for player, pool in before["pools"].items():
            grown = after["pools"][player]
            without = ([*pool[:at], *pool[at + 1 :]] for at in range(len(pool)))
            kept = (pool, *without)
            assert any(grown[: len(tiles)] == tiles for tiles in kept)


def _shown(board: Match, line: int) -> str:
    return boards.answer(board.at(line), "show 1 -format=json")


FIELDS = ["game", "board", "ply", "status", "phase", "round", "players", "turn"]
FIELDS += ["options", "rated", "match", "scores", "pools", "drawn", "sack", "sacks"]
FIELDS += ["cells", "owners", "heights", "joints", "blocked", "last", "legal"]
FIELDS += ["proposed", "seal", "seed", "chain", "result"]
OPTIONAL = {"last", "joints", "drawn", "proposed", "seed", "chain", "sacks", "owners"}
OPTIONAL |= {"heights"}
FACES = {"bitten": "[1-9]{3}", "hextile": "[0-9RGYPB]"}  # of each notation
ITS_OWN = {"walomino": {"pot", "paired"}}  # until play begins


def check_json(board: Match, case: Case) -> None:
    """The fields of the public interface: what there is, in order."""
    fields = json.loads(boards.answer(board, "show 1 -format=json"))
    own = ITS_OWN.get(case.name, set()) if fields["phase"] != "play" else set()
    assert [f for f in fields if f not in own] == [f for f in FIELDS if f in fields]
    absent = {*FIELDS, *own} - {*fields}
    assert absent <= OPTIONAL
    assert ("proposed" in absent) == (not fields["legal"])
    assert ("seed" in absent) == (board.result is None)
    assert ("chain" in absent) == (fields["round"] == 1)
    assert ("last" in absent) == (board.ply == 0)
    assert ("joints" in absent) == (not is_two_celled(case))
    assert ("owners" in absent) == (not case.game.SIDES)
    assert fields["options"] == {k: v for k, v in case.options.items() if v is not None}
    assert fields["rated"] is True
    assert list(fields["scores"]) == list(fields["pools"]) == fields["players"]
    face = FACES[board.view(None).drawing.notation]
    assert all(re.fullmatch(face, found) for found in fields["cells"].values())
    assert list(fields["cells"]) == sorted(fields["cells"], key=int)
    if board.result is None:
        assert (fields["status"], fields["result"]) == ("active", None)
        assert fields["turn"]
        assert fields["legal"] == boards.written(board, fields["turn"][0])
    else:
        assert (fields["status"], fields["turn"], fields["legal"]) == ("over", [], [])
        assert list(fields["result"]) == ["winners", "reason", "scores"]
    if "drawn" in fields:
        assert fields["drawn"] in fields["pools"][fields["turn"][0]]
    check_owners(fields)
    if "joints" in fields:
        check_joints(fields)


def check_owners(fields: dict[str, Any]) -> None:
    """What there is only where players have tiles of their own, or tiles lie on
    others."""
    if "sacks" in fields:
        assert list(fields["sacks"]) == fields["players"]
        assert sum(fields["sacks"].values()) == fields["sack"]
    if "owners" in fields:
        assert list(fields["owners"]) == list(fields["cells"])
        assert {*fields["owners"].values()} <= {*fields["players"]}
    if "heights" in fields:
        assert {*fields["heights"]} <= {*fields["cells"]}
        assert min(fields["heights"].values()) >= 2


def is_two_celled(case: Case) -> bool:
    """Whether tiles lie on two cells each."""
    return any(figure.joints for figure in case.game.FIGURES.values())


def check_joints(fields: dict[str, Any]) -> None:
    """Tiles of two cells: all that can be seen whole. In Walomino they run along the
    chain, so that its open ends come first and last, and there all moves begin."""
    path = [at for pair in fields["joints"] for at in pair]
    assert len({*path}) == len(path)
    halves = {*map(int, fields["cells"])} - {*path}  # of tiles that are half covered
    covering = fields.get("heights", {})
    assert all(any(str(at) in covering for at in neighbours(half)) for half in halves)
    assert halves | {*path} == {*map(int, fields["cells"])}
    assert all(two in neighbours(one) for one, two in fields["joints"])
    if fields["game"] != "walomino":
        return
    assert all(two in neighbours(one) for one, two in pairwise(path))
    for move in fields["legal"] if fields["phase"] == "play" else ():
        place = re.fullmatch(r"([RGYPB])[RGYPB]:([0-9]+),[0-9]+", move)
        assert place
        ends = [at for at in (path[0], path[-1]) if at in neighbours(int(place[2]))]
        assert [fields["cells"][str(at)] for at in ends] == [place[1]]
