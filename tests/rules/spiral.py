"""The spiral that numbers the grid, walked step by step."""

Cell = tuple[int, int]

STEPS: dict[str, Cell] = {
    "N": (0, -2),
    "NE": (1, -1),
    "SE": (1, 1),
    "S": (0, 2),
    "SW": (-1, 1),
    "NW": (-1, -1),
}
GRID = 9919  # positions 0 to 9918: the centre and 57 rings


def step(cell: Cell, way: str) -> Cell:
    """The cell that lies this way."""
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


def walk_spiral(rings: int) -> list[Cell]:
    """The cells in the order of their numbers, found by walking round."""
    walked = [(0, 0)]
    for ring in range(1, rings + 1):
        cell = (0, -2 * ring)
        for way in ("SE", "S", "SW", "NW", "N", "NE"):
            for _ in range(ring):
                walked.append(cell)
                cell = step(cell, way)
    return walked


SPIRAL = walk_spiral(58)  # one ring more than the grid has
NUMBER = {cell: number for number, cell in enumerate(SPIRAL)}


def beside(position: int, *ways: str) -> int:
    """The number of the cell that is reached from a position by these steps."""
    cell = SPIRAL[position]
    for way in ways:
        cell = step(cell, way)
    return NUMBER[cell]
