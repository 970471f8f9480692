"""`pbm check --mail FILE`: what other mail servers think of a letter of ours, in words.

The file is a letter as it arrived elsewhere, with all its headers. What counts is what
the receiving server has written above all others: Authentication-Results (RFC 8601).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from pbm_holomino.commands.request import Answer
from pbm_holomino.errors import DONE, REFUSED, NotAllowed, NotFound, PbmError
from pbm_holomino.mail import authentication, mime
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.sentences import fill, quoted
from pbm_holomino.server import open as opener

_RESULTS = "authentication-results"
_UNSUBSCRIBE = ("List-Unsubscribe", "List-Unsubscribe-Post")
_MOST_FIELD = 5_000  # characters of a signature
_ADDRESS = re.compile(r"@([A-Za-z0-9.-]{1,253})>?\s*(?:\([^()]*\)\s*)?$")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)")


def explain(path: str) -> Answer:
    """What the headers of the letter in this file say, and what to change. Raises
    PbmError if it cannot be read, or no server has judged it."""
    letter = _read(path)
    judged = letter.field(_RESULTS)
    if not judged:
        raise NotAllowed(
            f"No mail server has judged the letter in {path}: it has no header "
            "Authentication-Results. Please save it as it arrived, with all its "
            'headers: mail programs call that "show original" or "view source".'
        )
    server, found = authentication.results(judged)
    case = _Case(_domain(letter.field("from")), found, _signatures(letter))
    said = [*_spf(case), *_dkim(case), *_dmarc(case), *_spam(letter, server)]
    said += _unsubscribing(letter, case)
    is_good = not any(one.is_bad for one in said)
    sentences = (
        f"{server or 'A mail server'} has judged this letter from {case.domain}.",
        *_other_sender(case.domain),
        *(one.sentence for one in said),
        "All is well." if is_good else 'For the steps, type "pbm help deliverability".',
    )
    return Answer("".join(map(fill, sentences)), DONE if is_good else REFUSED)


class _Said(NamedTuple):
    """What is said about a letter, and whether something has to be changed."""

    sentence: str
    is_bad: bool = False


class _Case(NamedTuple):
    """A letter: the domain in its From, what was found by each method, and the
    signatures that it has."""

    domain: str
    found: Sequence[authentication.Result]
    signatures: Sequence[Mapping[str, str]]

    def by(self, method: str) -> Sequence[authentication.Result]:
        """What was found by a method."""
        return [result for result in self.found if result.method == method]

    def is_ours(self, domain: str) -> bool:
        """Whether a domain counts as that of the From (RFC 7489, 3.1, relaxed; which
        domains belong together is guessed from their names)."""
        ours, theirs = f".{self.domain}", f".{domain.rpartition('@')[2].lower()}"
        return len(theirs) > 1 and (ours.endswith(theirs) or theirs.endswith(ours))


def _read(path: str) -> mime.Part:
    """The letter in a file. Raises PbmError."""
    try:
        with open(path, "rb") as file:
            head = file.read(mime.MOST_HEAD)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as error:
        raise NotAllowed(f"{path} cannot be read: {error.strerror}.") from None
    try:
        letter = mime.whole(head.lstrip())
    except ValueError as error:
        raise NotAllowed(f"{path} is not a mail that can be read: {error}.") from None
    if not letter.field("from"):
        raise NotAllowed(f"{path} is not a mail: it has no From.")
    return letter


def _domain(sender: str) -> str:
    """The domain of the address in a From."""
    found = _ADDRESS.search(sender)
    return found[1].lower() if found else quoted(sender)


def _signatures(letter: mime.Part) -> list[Mapping[str, str]]:
    """The tags of the DKIM-Signatures (RFC 6376, 3.2)."""
    fields = letter.headers.get("dkim-signature", ())
    texts = (re.sub(r"\s+", " ", field[:_MOST_FIELD]) for field in fields)
    return [dict(_TAG.findall(text)) for text in texts]


def _other_sender(domain: str) -> Iterator[str]:
    """That a letter is not from the server whose owner asks, as far as is known."""
    try:
        _, home = opener.open_server()
        ours = home.config.domain.lower()
    except PbmError:
        return
    if domain != ours:
        yield f"This server's own letters come from {ours}, by its config.yaml."


def _spf(case: _Case) -> Iterator[_Said]:
    """Which machines may send (RFC 7208)."""
    for result in case.by("spf")[:1]:
        envelope = result.of("smtp.mailfrom", "smtp.helo")
        sender = envelope.rpartition("@")[2] or case.domain
        if result.word == "pass" and case.is_ours(sender):
            yield _Said(f"SPF: pass. The machine may send for {quoted(sender)}.")
        elif result.word == "pass":
            yield _Said(
                f"SPF: pass, but for {quoted(sender)}, which is not the domain of the "
                "From, so DMARC does not count it. A signature (DKIM) of that domain "
                "is enough; or set envelope: to an address there."
            )
        elif result.word in ("none", "neutral"):
            yield _Said(
                f"SPF: {result.word}. {quoted(sender)} does not say which machines may "
                'send for it: please add a TXT record such as "v=spf1 a -all" (step '
                "2).",
                is_bad=True,
            )
        elif result.word in ("fail", "softfail", "policy"):
            yield _Said(
                f"SPF: {result.word}. The machine that brought the letter is not among "
                f"those that {quoted(sender)} lists: please add its address to the TXT "
                "record that begins with v=spf1 (step 2), or, if the letter was "
                "forwarded on the way, do without; DKIM outlasts that.",
                is_bad=True,
            )
        else:
            yield _Said(
                f"SPF: {quoted(result.word)}. The record of {quoted(sender)} could not "
                "be used: it must be one line that begins with v=spf1, with at most "
                "ten names to look up.",
                is_bad=True,
            )
        return
    yield _Said("SPF: the server has not looked at it.")


def _dkim(case: _Case) -> Iterator[_Said]:
    """What was signed (RFC 6376)."""
    results = case.by("dkim")
    passed = [result for result in results if result.word == "pass"]
    ours = [r for r in passed if case.is_ours(_signer(r))]
    if ours:
        yield _Said(f"DKIM: pass. {quoted(_signer(ours[0]))} has signed it.")
    elif passed:
        yield _Said(
            f"DKIM: pass, but the signature is of {quoted(_signer(passed[0]))}, which "
            "is not the domain of the From, so DMARC does not count it: please sign "
            f"as {case.domain} (step 3).",
            is_bad=True,
        )
    elif not case.signatures or any(r.word == "none" for r in results):
        yield _Said(
            "DKIM: the letter is not signed: please have your mail server sign what "
            "it sends (step 3), and look whether opendkim runs.",
            is_bad=True,
        )
    elif results:
        yield _Said(_unsigned(results[0], case), is_bad=True)
    else:
        yield _Said("DKIM: the letter is signed, but the server has not looked at it.")


def _signer(result: authentication.Result) -> str:
    return result.of("header.d", "header.i").rpartition("@")[2]


def _unsigned(result: authentication.Result, case: _Case) -> str:
    """Why a signature does not fit, as far as it was said."""
    said = f" ({quoted(result.reason)})" if result.reason else ""
    tags = case.signatures[0]
    record = f"{tags.get('s', '').strip()}._domainkey.{tags.get('d', '').strip()}"
    begin = f"DKIM: {quoted(result.word)}{said}. "
    if re.search("body", result.reason):
        return (
            f"{begin}The letter was changed after it was signed: a filter or a list "
            "has added lines. Let opendkim sign last, after all that changes mail."
        )
    if re.search("key|record|dns|temp", f"{result.reason} {result.word}"):
        return (
            f"{begin}The key was not found, or is of no use: please compare the TXT "
            f"record of {quoted(record)} with the file that opendkim-genkey made (step "
            "3)."
        )
    return (
        f"{begin}The signature does not fit: the key in the TXT record of "
        f"{quoted(record)} must be that with which your mail server signs (step 3; "
        "opendkim-testkey tells), and nothing may change headers afterwards."
    )


def _dmarc(case: _Case) -> Iterator[_Said]:
    """What both mean for the From (RFC 7489)."""
    for result in case.by("dmarc")[:1]:
        if result.word in ("pass", "bestguesspass"):
            yield _Said("DMARC: pass. The From is what it says.")
        elif result.word == "none":
            yield _Said(
                f"DMARC: none. {case.domain} does not say what others do with "
                f"forgeries: please add the TXT record _dmarc.{case.domain} (step 4).",
                is_bad=True,
            )
        elif result.word == "fail":
            yield _Said(
                "DMARC: fail. Neither SPF nor DKIM has passed for the domain in the "
                f"From, {case.domain}. One of them is enough: mend what is said about "
                "them above.",
                is_bad=True,
            )
        else:
            yield _Said(
                f"DMARC: {quoted(result.word)}. The record _dmarc.{case.domain} could "
                "not be used (step 4).",
                is_bad=True,
            )
        return
    yield _Said("DMARC: the server has not looked at it.")


def _spam(letter: mime.Part, server: str) -> Iterator[_Said]:
    if authentication.is_spam(lambda name: letter.headers.get(name, ()), server):
        yield _Said(
            "The filter of that server takes the letter for spam. If all else is well, "
            "that passes with time, or by a word to whoever runs it.",
            is_bad=True,
        )


def _unsubscribing(letter: mime.Part, case: _Case) -> Iterator[_Said]:
    """The headers that end digests count only if they are signed (RFC 8058, 4)."""
    there = [name for name in _UNSUBSCRIBE if letter.field(name.lower())]
    signed = [tags.get("h", "").lower().replace(" ", "") for tags in case.signatures]
    if there and signed:
        names = [name for h in signed for name in h.split(":")]
        missing = [name for name in there if name.lower() not in names]
        if missing:
            yield _Said(
                f"The signature leaves out {' and '.join(missing)}: please have it "
                "sign these headers, too (SignHeaders in opendkim.conf, step 3).",
                is_bad=True,
            )
