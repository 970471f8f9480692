"""Everything that a server may need, in memory before it serves.

A command by mail is a process, and imports nothing that it does not use. A resident
server does the opposite: `git pull` may replace this version's files while it runs, and
modules of two versions must not be mixed.
"""

import dis
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.abc import InspectLoader
from pkgutil import walk_packages
from types import CodeType

import pbm_holomino
from pbm_holomino import rules
from pbm_holomino.languages import aliases, known
from pbm_holomino.letters import help as pages
from pbm_holomino.mail import incoming

_MAIL = b"From: nobody@localhost\nSubject: help\n\n"
# networkx draws the rounds of tournaments, which the owner's commands begin
_OTHERS = *(f"pbm_holomino.{room}" for room in ("fetch", "web", "owner")), "networkx"
_IMPORT = dis.opmap["IMPORT_NAME"]


def load_everything() -> None:
    """Import every module of this package and whatever their functions import, look at
    what each package holds, and read the help pages and all of languages; but not the
    rooms whose work other processes do, nor what only these use."""
    for found in walk_packages(pbm_holomino.__path__, "pbm_holomino."):
        if found.name.startswith(_OTHERS):
            continue
        try:
            module = import_module(found.name)
        except ModuleNotFoundError as error:
            if str(error.name).startswith(pbm_holomino.__name__):
                raise
            continue  # what it needs is optional, and not installed
        if found.ispkg:
            rules.modules_of(module)
        spec = module.__spec__
        assert spec is not None
        assert isinstance(spec.loader, InspectLoader)
        code = spec.loader.get_code(found.name)
        for name in _imports(code) if code else ():
            with suppress(ImportError):  # it is optional
                if not name.startswith(_OTHERS):
                    import_module(name)
    aliases.meanings()
    for language in known.codes():
        known.language(language)
        for subject in pages.subjects():
            pages.page(subject, language)
    incoming.read(_MAIL, "localhost")  # the email library imports more by itself


def _imports(code: CodeType) -> Iterator[str]:
    """The modules that the functions in a piece of code import."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if _IMPORT in inner.co_code[::2]:
                for instruction in dis.get_instructions(inner):
                    if instruction.opcode == _IMPORT:
                        yield str(instruction.argval)
            yield from _imports(inner)
