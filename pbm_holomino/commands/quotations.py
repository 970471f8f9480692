"""Which lines of a mail its writer wrote.

The others are quoted letters, with what mail programs write above them; signatures; and
what telephones and companies add. Programs say it in the language of their user: the
words below are those of English, German, Dutch, French, Spanish, Italian, Polish and
Swedish. They are looked up rather than matched, as regular expressions of so many words
would take each process longer to compile than the mail takes to read.
"""

import re
from itertools import islice, takewhile

_SIGNATURES = ("--", "\u2013", "\u2014")  # programs turn two dashes into a long one
_WRAPPED = 3  # lines that an attribution may be wrapped into
_BLOCK = 4  # lines in which a block of headers shows what it is
_RULE = 10  # underscores of Outlook's rule, at least
_FULL = 30  # characters of a line of running text, at least
_ADDED = 120  # characters of a line that a telephone adds, at most

# What follows the dashes above a letter that was forwarded, or is quoted as it was.
_SEPARATORS = (
    *("original", "forwarded", "ursprüngliche", "weitergeleitet"),
    *("oorspronkelijk", "origineel bericht", "doorgestuurd"),
    *("message d'origine", "message transféré", "message original", "mail transféré"),
    *("mensaje original", "mensaje reenviado"),
    *("messaggio originale", "messaggio inoltrato"),
    *("wiadomość oryginalna", "oryginalna wiadomość", "wiadomość przekazana"),
    *("przekazana wiadomość", "przekazywana wiadomość", "przesłana wiadomość"),
    *("treść oryginalnej", "treść przekazanej"),
    *("ursprungligt", "vidarebefordra"),
)
# The same in Apple Mail, as a line that ends in a colon.
_BEGINNINGS = (
    *("begin forwarded message", "anfang der weitergeleiteten"),
    *("begin doorgestuurd bericht", "début du message", "inicio del mensaje"),
    *("inizio messaggio", "początek przekazywanej", "vidarebefordrat brev"),
)

_FROM = frozenset(
    (
        *("from", "von", "absender", "van", "afzender", "de", "expéditeur"),
        *("remitente", "da", "mittente", "od", "nadawca", "från", "avsändare"),
    )
)
_OTHER_HEADERS = frozenset(
    (
        *("sent", "date", "to", "cc", "bcc", "subject", "reply-to"),
        *("gesendet", "datum", "an", "kopie", "betreff"),
        *("verzonden", "aan", "onderwerp"),
        *("envoyé", "envoyé le", "à", "pour", "objet"),
        *("enviado", "enviado el", "enviada el", "fecha", "para", "asunto"),
        *("inviato", "data", "a", "ccn", "oggetto"),
        *("wysłano", "wysłane", "do", "dw", "temat"),
        *("skickat", "till", "kopia", "ämne"),
    )
)
_HEADERS = _FROM | _OTHER_HEADERS

# What an attribution holds: On Friday, 20 November 2026, Bob <bob@example.org> wrote:
_WROTE = frozenset(
    (
        *("wrote", "schrieb", "geschrieben", "schreef", "geschreven", "écrit"),
        *("escribió", "scritto", "pisze", "napisał", "napisała", "napisał(a)"),
        *("napisał/a", "napisana", "skrev"),
    )
)
_DATES = (
    *("on ", "am ", "op ", "le ", "el ", "en ", "il ", "w dniu ", "dnia ", "den "),
    *("pon.", "wt.", "śr.", "czw.", "pt.", "sob.", "niedz."),
)

_SENT_FROM = (
    *("sent from ", "sent via ", "sent with ", "sent using ", "get outlook for "),
    *("gesendet von ", "gesendet mit ", "diese nachricht wurde von mein"),
    *("holen sie sich outlook", "outlook für ios", "outlook für android"),
    *("verzonden vanaf ", "verzonden vanuit ", "verzonden met ", "verzonden via "),
    *("verstuurd vanaf ", "verstuurd met ", "download outlook"),
    *("outlook voor ios", "outlook voor android"),
    *("envoyé de ", "envoyé depuis ", "envoyé à partir d", "envoyé avec "),
    *("obtenir outlook", "obtenez outlook", "télécharger outlook"),
    *("enviado desde ", "enviado con ", "obtener outlook", "descargar outlook"),
    *("inviato da ", "inviato dal ", "inviato con ", "ottieni outlook"),
    *("scarica outlook",),
    *("wysłane z", "wysłano z", "wysłana z", "pobierz outlook", "uzyskaj outlook"),
    *("pobierz aplikację outlook", "uzyskaj aplikację outlook"),
    *("skickat från ", "skickades från ", "skickat med "),
    *("hämta outlook", "skaffa outlook"),
    *("virus-free.", "virenfrei."),
)
# A paragraph with a word of each kind is a disclaimer.
_CONFIDENTIAL = (
    *("confidential", "privileged", "vertraulich", "vertrouwelijk", "confidentiel"),
    *("confidencial", "riservat", "confidenzial", "poufn", "konfidentiell"),
)
_RECIPIENT = (
    *("intended", "recipient", "addressee", "empfänger", "adressat", "geadresseerde"),
    *("ontvanger", "bestemd", "destinataire", "destinatari", "adresat", "odbiorc"),
    *("mottagare", "avsedd"),
)


def own_lines(body: str) -> list[str]:
    """The lines that the writer of a mail wrote, with only printable characters."""
    lines = [_readable(line).rstrip() for line in body.splitlines()]
    kept = _without_quotes(lines[: _end(lines)])
    return _without_disclaimer([line for line in kept if not _is_sent_from(line)])


def _readable(line: str) -> str:
    if line.isprintable():
        return line
    spaced = (" " if character.isspace() else character for character in line)
    return "".join(filter(str.isprintable, spaced))


def _end(lines: list[str]) -> int:
    """The index of the first line from which on nothing is the writer's own: of a
    signature, or of a letter that follows without quotation marks."""
    for number, line in enumerate(lines):
        if not line or line.startswith(">"):
            continue
        if line in _SIGNATURES or _is_separator(line):
            return number
        if _is_header_block(lines[number : number + _BLOCK]):
            return _without_rule(lines, number)
        start = _attribution(lines, number)
        if start is not None and _is_unmistakable(lines[start : number + 1]):
            after = next(filter(None, islice(lines, number + 1, None)), "")
            if not after.startswith(">"):
                return start
    return len(lines)


def _is_separator(line: str) -> bool:
    """Whether a line is `-----Original Message-----` or `Begin forwarded message:`."""
    bare = line.strip()
    text = bare.strip("-_ ").replace("\u2019", "'").casefold()
    if bare.startswith(("---", "____")):
        return text.startswith(_SEPARATORS)
    return text.endswith(":") and text.startswith(_BEGINNINGS)


def _is_header_block(lines: list[str]) -> bool:
    """Whether a mail's headers begin with the first of these lines: From, and at least
    one other."""
    if _label(lines[0]) not in _HEADERS:
        return False
    labels = [_label(line) for line in lines[: [*lines, ""].index("")]]
    return not (_FROM.isdisjoint(labels) or _OTHER_HEADERS.isdisjoint(labels))


def _label(line: str) -> str:
    """The name of a header, which may be in bold: `*Von:* Bob`."""
    name, colon, _ = line.lstrip(" *").partition(":")
    return name.rstrip(" *").casefold() if colon else ""


def _without_rule(lines: list[str], end: int) -> int:
    """The index where these lines end without a rule, and blank lines, after them."""
    start = end
    while start and (not lines[start - 1] or _is_rule(lines[start - 1])):
        start -= 1
    return start


def _is_rule(line: str) -> bool:
    return len(line) >= _RULE and not line.strip("_")


def _attribution(lines: list[str], last: int) -> int | None:
    """The index of the first line of the attribution whose last line is this one; None
    if it is not the last of one. It may be wrapped, and often begins with the date."""
    found = None
    for start in range(last, max(last - _WRAPPED, -1), -1):
        if not lines[start]:
            break
        text = " ".join(lines[start : last + 1]).strip().casefold()
        if start == last and not text.endswith(":"):
            break
        if _names_writer(text):
            first = lines[start].strip().casefold()
            if first.startswith(_DATES) and any(map(str.isdigit, first)):
                return start
            if found is None and not _goes_on_from_above(first):
                found = start
    return found


def _goes_on_from_above(line: str) -> bool:
    """Whether a line begins with an address, or within one: its name is above."""
    before, end, _ = line.partition(">")
    return line.startswith("<") or (end == ">" and "<" not in before)


def _names_writer(text: str) -> bool:
    """Whether a line says who wrote something, and when or from which address."""
    words = text.replace(",", " ").rstrip(" :").split()
    return not _WROTE.isdisjoint(words) and any(c.isdigit() or c == "@" for c in text)


def _is_unmistakable(attribution: list[str]) -> bool:
    """Whether nobody would write these lines by hand: there is an address, or a year
    and a time."""
    text = " ".join(attribution)
    return "@" in text or bool(
        re.search(r"\b(19|20)\d\d\b", text) and re.search(r"\d[:.]\d\d", text)
    )


def _without_quotes(lines: list[str]) -> list[str]:
    """The lines without quotations, and without the attribution before each."""
    kept: list[str] = []
    in_quote = False
    for line in lines:
        if not line.startswith(">"):
            kept.append(line)
            in_quote = in_quote and not line
        elif not in_quote:
            in_quote = True
            del kept[_introduction(kept) :]
    return kept


def _introduction(lines: list[str]) -> int:
    """The index at which the attribution of a quotation begins that follows these
    lines. One in another language is the last line, or two, ending in a colon. Without
    one, the number of lines."""
    last = next((i for i in range(len(lines) - 1, -1, -1) if lines[i]), -1)
    if last < 0 or not lines[last].endswith(":"):
        return len(lines)
    start = _attribution(lines, last)
    if start is not None:
        return start
    wrapped = last > 0 and lines[last - 1] and len(lines[last].split()) == 1
    return last - 1 if wrapped else last


def _is_sent_from(line: str) -> bool:
    """Whether a telephone added this line: `Sent from my iPhone`."""
    if len(line) > _ADDED:
        return False
    text = line.strip(" *-").casefold()
    return text.startswith(_SENT_FROM) or (
        text.startswith("von mein") and text.rstrip(" .").endswith("gesendet")
    )


def _without_disclaimer(lines: list[str]) -> list[str]:
    """The lines before the first paragraph that says for whom a mail is meant and that
    it is confidential. Short lines right above it belong to the writer's own words."""
    start = 0
    for end, line in enumerate([*lines, ""]):
        if line:
            continue
        words = [text.casefold() for text in lines[start:end]]
        text = " ".join(words)
        if _has(text, _CONFIDENTIAL) and _has(text, _RECIPIENT):
            return lines[: start + sum(1 for _ in takewhile(_is_apart, words))]
        start = end + 1
    return lines


def _is_apart(line: str) -> bool:
    return len(line) < _FULL and not _has(line, _CONFIDENTIAL + _RECIPIENT)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
