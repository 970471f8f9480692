"""Reading a PNG: what the libraries of other programs see."""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

Pixel = tuple[int, int, int, int]  # red, green, blue, and how opaque


class Png(NamedTuple):
    """The size of a picture, and its rows of pixels."""

    width: int
    height: int
    rows: list[list[Pixel]]

    @property
    def border(self) -> set[Pixel]:
        """The colours of the outermost pixels."""
        sides = {row[end] for row in self.rows for end in (0, -1)}
        return sides.union(self.rows[0], self.rows[-1])

    @property
    def colours(self) -> set[Pixel]:
        return {pixel for row in self.rows for pixel in row}


def size_of(file: bytes) -> tuple[int, int]:
    """The width and the height that a file says."""
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", file[16:24])
    return width, height


def read(file: bytes) -> Png:
    """The picture in a file; fails for a damaged one, and for kinds that are not
    written here: all have 8 bits for each of four channels."""
    width, height = size_of(file)
    assert file[24:29] == b"\x08\x06\x00\x00\x00"
    data = zlib.decompress(
        b"".join(body for kind, body in chunks(file) if kind == b"IDAT")
    )
    length = 4 * width + 1
    assert len(data) == length * height
    rows, above = [], bytes(4 * width)
    for start in range(0, len(data), length):
        above = unfiltered(data[start], data[start + 1 : start + length], above)
        channels = iter(above)
        rows.append(list(zip(channels, channels, channels, channels, strict=True)))
    return Png(width, height, rows)


def chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a file, with their kinds."""
    at = 8
    while at < len(file):
        (length,) = struct.unpack(">I", file[at : at + 4])
        kind, body = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        (check,) = struct.unpack(">I", file[at + 8 + length : at + 12 + length])
        assert check == zlib.crc32(kind + body)
        yield kind, body
        at += 12 + length


def unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    """A row without its filter: PNG specification, section 9."""
    done = bytearray(4)  # the pixel to the left of the first
    for at, value in enumerate(row):
        left, up, corner = done[at], above[at], above[at - 4] if at >= 4 else 0
        guess = (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind]
        done.append((value + guess) & 255)
    return bytes(done[4:])


def paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda near: abs(guess - near))
