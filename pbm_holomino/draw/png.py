"""A picture as a PNG, which every mail program shows."""

from importlib.machinery import PathFinder

from pbm_holomino.errors import NotAllowed
from pbm_holomino.languages import sentence


def is_possible() -> bool:
    """Whether the library that draws it is installed. It is not loaded for this."""
    return PathFinder.find_spec("resvg_py") is not None


def render(svg: str, width: int, is_compact: bool = False) -> bytes:
    """An SVG document as a PNG with this width in pixels.

    A compact one is a third as long, because its edges are not smooth: what shows it at
    half its size, as letters do, smooths them. Raises NotAllowed if the library that
    draws it is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError:
        raise NotAllowed(
            sentence(
                "There are no PNG pictures here, because the library resvg-py is "
                'missing: "pbm help owner" tells the owner of this server how to '
                "install it. -format=svg needs no library."
            )
        ) from None
    return svg_to_bytes(
        svg,
        width=width,
        skip_system_fonts=True,  # reading them takes longer than the picture
        shape_rendering="crisp_edges" if is_compact else "geometric_precision",
    )
