"""What is installed beside the package and made from it: man pages of the help texts,
and the files by which shells complete the commands' words."""

import re
from collections.abc import Iterable, Mapping

from pbm_holomino import __version__, rules
from pbm_holomino.commands.params import SHELLS
from pbm_holomino.owner import completion, man_pages

# where bash, zsh and fish look for what completes a command
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
}


def shared_files() -> Mapping[str, str]:
    """The texts of all files, by their paths below the folder of an installation."""
    chapters = {name: page.chapter for name, page in man_pages.pages().items()}
    files = {f"share/man/man{c}/{n}.{c}": man_page(n) for n, c in chapters.items()}
    for shell in SHELLS:
        for name in ("pbm", *rules.names()):
            files[_COMPLETIONS[shell].format(name)] = completion.script(shell, name)
    return files


def man_page(name: str) -> str:
    """The man page of a command, or of the settings, in the language of man(7)."""
    pages = man_pages.pages()
    page = pages[name]
    others = (f"{n}({other.chapter})" for n, other in pages.items() if n != name)
    head = f'.TH {name.upper()} {page.chapter} "" "pbm_holomino {__version__}"\n'
    return "".join(
        (
            f"{head}.nh\n.ad l\n",  # words are to be copied
            f".SH NAME\n{_plain(f'{name} - {page.purpose}')}\n",
            _lines("SYNOPSIS", page.synopsis),
            f".SH DESCRIPTION\n{_body(page.text)}",
            *(_things(heading, things) for heading, things in page.sections.items()),
            _lines("SEE ALSO", [", ".join(others)]),
        )
    )


def _lines(heading: str, lines: Iterable[str]) -> str:
    """A section of lines as they are."""
    return "".join((f".SH {heading}\n", *(f"{_plain(line)}\n.br\n" for line in lines)))


def _things(heading: str, things: Mapping[str, str]) -> str:
    """A section of things with what is said about them."""
    items = (f'.TP\n.B "{_plain(k)}"\n{_plain(v)}\n' for k, v in things.items())
    return "".join((f".SH {heading}\n", *items))


def _body(text: str) -> str:
    """A help text as it is, filled and with its figures; its headings as parts of the
    description."""
    lines = [".nf"]
    for paragraph in re.split(r"\n\n+", text.strip("\n")):
        if _is_heading(paragraph):
            lines += [".fi", f'.SS "{_plain(paragraph)}"', ".nf"]
        else:
            lines += [*map(_plain, paragraph.split("\n")), ""]
    return "\n".join([*lines, ".fi"]) + "\n"


def _is_heading(paragraph: str) -> bool:
    return re.fullmatch(r'[A-Z][^\n".:]{0,50}[^\n".:?!]', paragraph) is not None


def _plain(line: str) -> str:
    """A line whose characters all mean themselves."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    for character, name in {"^": "\\(ha", "`": "\\(ga", "~": "\\(ti"}.items():
        escaped = escaped.replace(character, name)
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
