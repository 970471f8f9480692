"""All that a server may need, in memory before it serves.

A command by mail is a process, and imports nothing that it does not use. A server that
stays does the opposite: `git pull` may replace the files of this version while it
runs, and a module of the next one must not be mixed with those of this.
"""

import dis
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.abc import InspectLoader
from pkgutil import walk_packages
from types import CodeType

import pbm_holomino
from pbm_holomino.letters import help as pages
from pbm_holomino.mail import incoming

_MAIL = b"From: nobody@localhost\nSubject: help\n\n"
_IMPORT = dis.opmap["IMPORT_NAME"]


def load_everything() -> None:
    """Import every module of this package, and whatever a function of one imports; read
    the help pages."""
    for found in walk_packages(pbm_holomino.__path__, "pbm_holomino."):
        spec = import_module(found.name).__spec__
        assert spec is not None
        assert isinstance(spec.loader, InspectLoader)
        code = spec.loader.get_code(found.name)
        for name in _imports(code) if code else ():
            with suppress(ImportError):  # there is a way without it
                import_module(name)
    for subject in pages.subjects():
        pages.page(subject)
    incoming.read(
        _MAIL, "localhost"
    )  # the library that reads mails imports more by itself


def _imports(code: CodeType) -> Iterator[str]:
    """The modules that the functions in a piece of code import."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if _IMPORT in inner.co_code[::2]:
                for instruction in dis.get_instructions(inner):
                    if instruction.opcode == _IMPORT:
                        yield str(instruction.argval)
            yield from _imports(inner)
