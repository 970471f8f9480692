"""What is installed beside the package and made from it: man pages of the help texts,
and the files by which shells complete the commands' words."""

import re
from collections.abc import Mapping

from pbm_holomino import __version__, rules
from pbm_holomino.commands.params import SHELLS
from pbm_holomino.letters import help as pages
from pbm_holomino.owner import completion, help, sections
from pbm_holomino.sentences import fill

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
    chapters = {name: sections.chapter(name) for name in sections.names()}
    files = {f"share/man/man{c}/{n}.{c}": man_page(n) for n, c in chapters.items()}
    for shell in SHELLS:
        for name in names:
            files[_COMPLETIONS[shell].format(name)] = completion.script(shell, name)
    return files


def man_page(name: str) -> str:
    """The man page of a command, or of the settings, in the language of man(7)."""
    purpose, text = _texts(name)
    chapter = sections.chapter(name)
    head = f'.TH {name.upper()} {chapter} "" "pbm_holomino {__version__}"\n'
    head += ".nh\n.ad l\n"  # words are to be copied
    around = sections.before(name), sections.after(name)
    before, after = ("".join(map(_section, part)) for part in around)
    named = f".SH NAME\n{_plain(f'{name} - {purpose}')}\n"
    return f"{head}{named}{before}.SH DESCRIPTION\n{_body(text)}{after}"


def _section(section: sections.Section) -> str:
    """A section: lines as they are, things with what is said about them."""
    lines = [f".SH {section.heading}"]
    for line in section.lines:
        lines += [_plain(line), ".br"]
    for thing, about in section.things.items():
        lines += [".TP", f'.B "{_plain(thing)}"', _plain(about)]
    return "\n".join(lines) + "\n"


def _texts(name: str) -> tuple[str, str]:
    """What a command is for, in a few words, and its help."""
    if name == sections.INBOX:
        return "take in one mail for a play-by-mail server", _INBOX
    if name == sections.CONFIG:
        about = fill(sections.about_settings())
        return "the settings of a play-by-mail server", about
    if name == "pbm":
        text = f"{pages.page('commands')}\nThe owner's commands\n\n{help.overview()}"
        return "play tile games by mail, and run a server for them", text
    _title, _, text = pages.page(name).partition("\n\n")
    return f"play {rules.load(name).TITLE} by mail", text


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
