"""The charsets of mails, and bytes decoded by them.

Python has codecs that are not charsets, and some take minutes (punycode) or import
modules by any name; so only the charsets listed here are used.
"""

_UTF = "utf-8 utf-7 utf-16 utf-16be utf-16le utf-32 utf-32be utf-32le"
_ISO = "ascii " + " ".join(f"iso-8859-{n}" for n in range(1, 17) if n != 12)
_WINDOWS = "cp437 cp850 cp852 cp866 cp874 cp932 cp949 cp950 " + " ".join(
    f"cp{n}" for n in range(1250, 1259)
)
_ASIAN = (
    "big5 big5hkscs gb2312 gbk gb18030 hz euc-jp euc-kr johab shift_jis iso-2022-jp "
    "iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-3 iso-2022-jp-ext iso-2022-kr tis-620"
)
_OTHERS = "koi8-r koi8-u mac-roman mac-cyrillic mac-greek mac-latin2 mac-turkish"
# Other names that mail programs use.
_ALIASES = {
    "us-ascii": "ascii",
    "ansi_x3.4-1968": "ascii",
    "utf": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "latin1": "iso-8859-1",
    "latin-1": "iso-8859-1",
    "latin-9": "iso-8859-15",
    "iso-8859-6-i": "iso-8859-6",
    "iso-8859-8-i": "iso-8859-8",
    "ks_c_5601-1987": "cp949",
    "korean": "cp949",
    "x-euc-jp": "euc-jp",
    "x-euc-kr": "euc-kr",
    "x-gbk": "gbk",
    "x-sjis": "shift_jis",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    **{f"windows-{n}": f"cp{n}" for n in (874, 932, 949, 950, *range(1250, 1259))},
    **{f"ibm{n}": f"cp{n}" for n in (437, 850, 852, 866)},
}


def _squeezed(name: str) -> str:
    """A charset's name without case, hyphens and underscores."""
    return name.lower().replace("-", "").replace("_", "")


_KNOWN = {
    _squeezed(name): name
    for name in " ".join((_UTF, _ISO, _WINDOWS, _ASIAN, _OTHERS)).split()
} | {_squeezed(alias): name for alias, name in _ALIASES.items()}


def decoded(text: bytes, charset: str) -> str:
    """The characters of these bytes, whatever is wrong with them. An unknown charset is
    taken for Latin-1."""
    known = _KNOWN.get(_squeezed(charset[:40].strip()), "iso-8859-1")
    try:
        return text.decode(known, "replace")
    except ValueError:  # some codecs refuse what they cannot replace
        return text.decode("iso-8859-1")
