"""Everything that a server may need, in memory before it serves.

A command by mail is a process, and imports nothing that it does not use. A resident
server does the opposite: `git pull` may replace this version's files while it runs, and
modules of two versions must not be mixed.
"""

import gc
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from opcode import opmap
from pkgutil import walk_packages
from types import CodeType, FunctionType

import pbm_holomino
from pbm_holomino import rules
from pbm_holomino.languages import aliases, known
from pbm_holomino.letters import help as pages
from pbm_holomino.mail import incoming

_OURS = pbm_holomino.__name__
_MAIL = b"From: nobody@localhost\nSubject: help\n\n"
# networkx draws the rounds of tournaments, which the owner's commands begin
_OTHERS = *(f"{_OURS}.{room}" for room in ("fetch", "web", "owner")), "networkx"
_IMPORT = opmap["IMPORT_NAME"]  # its argument is a byte: no function has 256 names


def load_everything() -> None:
    """Import every module of this package and whatever their functions import, look at
    what each package holds, and read the help pages and all of languages; but not the
    rooms whose work other processes do, nor what only these use."""
    for found in walk_packages(pbm_holomino.__path__, f"{_OURS}."):
        if found.name.startswith(_OTHERS):
            continue
        try:
            module = import_module(found.name)
        except ModuleNotFoundError as error:
            if str(error.name).startswith(_OURS):
                raise
            continue  # what it needs is optional, and not installed
        if found.ispkg:
            rules.modules_of(module)
    for name in {*_imported_by_functions()}:
        with suppress(ImportError):  # it is optional
            if not name.startswith(_OTHERS):
                import_module(name)
    aliases.meanings()
    for language in known.codes():
        known.language(language)
        for subject in pages.subjects():
            pages.page(subject, language)
    incoming.read(_MAIL, "localhost")  # the email library imports more by itself


def _imported_by_functions() -> Iterator[str]:
    """The modules that functions of this package import when they are called."""
    functions = (it for it in gc.get_objects() if isinstance(it, FunctionType))
    for function in functions:
        if str(function.__module__).startswith(_OURS):
            yield from _imports(function.__code__)


def _imports(code: CodeType) -> Iterator[str]:
    """The modules that a function imports, or one inside it."""
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    at = operations.find(_IMPORT)
    while at >= 0:
        yield code.co_names[arguments[at]]
        at = operations.find(_IMPORT, at + 1)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _imports(inner)
