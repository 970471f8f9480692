"""What is installed beside the package and made from it: man pages of the help texts,
and the files by which shells complete the commands' words."""

import re
from collections.abc import Mapping

from pbm_holomino import __version__, rules
from pbm_holomino.commands.params import SHELLS
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import completion, help

_INBOX = """\
pbm-inbox reads one mail on standard input, carries out the command in
it, and answers it by mail. It ends with 0 when the mail has been
handled, and with 75 when it must come again later. If a server runs on
the store (pbm serve), that server does the work.

"pbm sample" prints the lines with which a mail system runs it.
"""
# where bash, zsh and fish look for what completes a command
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
}


def shared_files() -> Mapping[str, str]:
    """The texts of all files, by their paths below the folder of an installation."""
    names = ("pbm", *rules.names())
    found = {f"share/man/man1/{n}.1": man_page(n) for n in (*names, "pbm-inbox")}
    for shell in SHELLS:
        for name in names:
            found[_COMPLETIONS[shell].format(name)] = completion.script(shell, name)
    return found


def man_page(name: str) -> str:
    """The man page of a command, in the language of man(7)."""
    purpose, text = _texts(name)
    head = f'.TH {name.upper()} 1 "" "pbm_holomino {__version__}"\n'
    return f"{head}.SH NAME\n{_plain(f'{name} - {purpose}')}\n{_body(text)}"


def _texts(name: str) -> tuple[str, str]:
    """What a command is for, in a few words, and its help."""
    if name == "pbm-inbox":
        return "take in one mail for a play-by-mail server", _INBOX
    if name == "pbm":
        text = f"{pages.page('commands')}\nThe owner's commands\n\n{help.overview()}"
        return "play tile games by mail, and run a server for them", text
    _title, _, text = pages.page(name).partition("\n\n")
    return f"play {rules.load(name).TITLE} by mail", text


def _body(text: str) -> str:
    """A help text as it is, filled and with its figures; its headings as sections."""
    paragraphs = re.split(r"\n\n+", text.strip("\n"))
    lines = [] if _is_heading(paragraphs[0]) else [".SH DESCRIPTION", ".nf"]
    for paragraph in paragraphs:
        if _is_heading(paragraph):
            lines += [".fi", f'.SH "{_plain(paragraph)}"', ".nf"]
        else:
            lines += [*map(_plain, paragraph.split("\n")), ""]
    return "\n".join([*lines, ".fi"]) + "\n"


def _is_heading(paragraph: str) -> bool:
    return re.fullmatch(r'[A-Z][^\n"]*[^\n".:?!]', paragraph) is not None


def _plain(line: str) -> str:
    """A line whose characters all mean themselves."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    for character, name in {"^": "\\(ha", "`": "\\(ga", "~": "\\(ti"}.items():
        escaped = escaped.replace(character, name)
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
