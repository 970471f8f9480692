"""What the scripts of pages say: in English, as it stands in them, and for each other
language in a file, which they ask for."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pbm_holomino.languages import ENGLISH_CODE, Language, Sentence, known

_MOST = 200  # a number that is counted
_TEXT = r'("(?:[^"\\\n]|\\.)*")'
_SAID = re.compile(rf"\bsay(?:Number)?\(\s*{_TEXT}(?:,\s*{_TEXT})?")

# A text, or its forms, and for each number from 0 on the digit of its form: the last is
# that of all larger ones
Form = str | tuple[tuple[str, ...], str]


def catalogues(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of languages, by names such as `de.json`, for these scripts."""
    said = _said(tuple(text for name, text in files.items() if name.endswith(".js")))
    return {
        f"{code.replace('_', '-')}.json": _catalogue(known.language(code), said)
        for code in known.codes()
        if code != ENGLISH_CODE
    }


@lru_cache(maxsize=1)
def _said(scripts: tuple[bytes, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted({*sentences(script.decode() for script in scripts)}))


def sentences(scripts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The texts that scripts say: of each one, or that for one and that for more."""
    for script in scripts:
        for found in _SAID.finditer(script):
            yield tuple(json.loads(text) for text in found.groups() if text)


def _catalogue(language: Language, said: Iterable[tuple[str, ...]]) -> bytes:
    forms = {texts[0]: form(language, texts) for texts in said}
    return json.dumps(forms, ensure_ascii=False, separators=(",", ":")).encode()


@lru_cache(maxsize=1_000)
def form(language: Language, texts: tuple[str, ...]) -> Form:
    """What a script needs to say a sentence in a language: texts with places."""
    said = [language.wording(Sentence(texts, (("n", n),))) for n in range(_MOST + 1)]
    forms = (*dict.fromkeys(said),)
    if len(forms) == 1:
        return forms[0]
    digits = "".join(str(forms.index(text)) for text in said)
    return forms, digits.rstrip(digits[-1]) + digits[-1]
