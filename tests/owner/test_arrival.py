"""`pbm check --mail`: the headers of a letter that arrived elsewhere, in words. Each
field is as one of the large providers or filters writes it."""

from pathlib import Path

import pytest

from pbm_holomino import owner
from pbm_holomino.errors import NotAllowed, NotFound, PbmError
from tests.house import House

OURS = "games.example.net"
SIGNED = f"v=1; a=rsa-sha256; d={OURS};\n s=pbm; h=From:To:List-Unsubscribe; b=x"
SPF = f"spf=pass (x: domain of pbm@{OURS} may send) smtp.mailfrom=pbm@{OURS}"
DKIM = f"dkim=pass header.i=@{OURS} header.s=pbm"
DMARC = f"dmarc=pass (p=NONE) header.from={OURS}"


def letter(*found: str, signature: str = SIGNED, more: str = "") -> str:
    judged = f"Authentication-Results: mx.example.com;\n {'; '.join(found)}"
    lines = [judged] if found else []
    lines += [f"DKIM-Signature: {signature}"] if signature else []
    return "\n".join([*lines, f"From: The games <pbm@{OURS}>{more}", "", "Hello"])


def explained(folder: Path, text: str, status: int) -> str:
    """What is said of a letter, in one line."""
    (folder / "letter.eml").write_text(text)
    answer = owner.run(["check", "--mail", str(folder / "letter.eml")])
    assert max(map(len, answer.text.splitlines())) <= 72
    assert answer.status == status, answer.text
    return " ".join(answer.text.split())


def test_a_letter_that_is_welcome(server: House, tmp_path: Path) -> None:
    said = explained(tmp_path, letter(SPF, DKIM, DMARC), 0)
    assert said.startswith(f"mx.example.com has judged this letter from {OURS}. ")
    assert said.endswith(
        f'SPF: pass. The machine may send for "{OURS}". '
        f'DKIM: pass. "{OURS}" has signed it. '
        "DMARC: pass. The From is what it says. All is well."
    )
    assert "This server's own letters come from" in said  # from its config.yaml


@pytest.mark.parametrize(
    ("found", "signature", "words"),
    [
        (["spf=none smtp.helo=x.example.org"], SIGNED, 'add a TXT record such as "v='),
        (["spf=softfail smtp.mailfrom=a@b.example"], SIGNED, "SPF: softfail. The mach"),
        (["spf=permerror"], SIGNED, f'The record of "{OURS}" could not be used'),
        (["dkim=none"], "", "DKIM: the letter is not signed: please have your"),
        (["dkim=pass header.d=mailer.example"], SIGNED, f"please sign as {OURS}"),
        (
            ["dkim=fail (body hash did not verify) header.d=x"],
            SIGNED,
            "changed after it was signed",
        ),
        (
            ['dkim=permerror reason="no key for signature" header.d=x'],
            SIGNED,
            f'TXT record of "pbm._domainkey.{OURS}" with the file',
        ),
        (
            ["dkim=fail (bad; really) header.d=x"],
            SIGNED,
            'DKIM: "fail" ("bad; really")',
        ),
        (["dmarc=fail (p=NONE)"], SIGNED, "One of them is enough: mend what"),
        (["dmarc=none"], SIGNED, f"please add the TXT record _dmarc.{OURS} (step 4)"),
        (["dmarc=temperror"], SIGNED, f"The record _dmarc.{OURS} could not be used"),
    ],
)
def test_what_has_to_be_changed(
    server: House, tmp_path: Path, found: list[str], signature: str, words: str
) -> None:
    text = letter(*found, signature=signature)
    assert words in explained(tmp_path, text, 1)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ("spf=pass smtp.mailfrom=bounce@mailer.example", "is enough; or set envelope:"),
        ("arc=none", "SPF: the server has not looked at it."),
        (f"spf=pass smtp.mailfrom=mail.{OURS}", f'may send for "mail.{OURS}"'),
    ],
)
def test_what_is_good_enough(
    server: House, tmp_path: Path, found: str, words: str
) -> None:
    assert words in explained(tmp_path, letter(found, DKIM, DMARC), 0)


def test_the_headers_that_end_digests_must_be_signed(
    server: House, tmp_path: Path
) -> None:
    more = "\nList-Unsubscribe: <mailto:x>\nList-Unsubscribe-Post: x"
    said = explained(tmp_path, letter(SPF, DKIM, DMARC, more=more), 1)
    assert "The signature leaves out List-Unsubscribe-Post: please" in said


def test_a_filter_that_takes_it_for_spam(server: House, tmp_path: Path) -> None:
    said = explained(tmp_path, letter(SPF, DKIM, DMARC, more="\nX-Spam-Flag: YES"), 1)
    assert "takes the letter for spam" in said


def test_only_the_uppermost_judgement_counts(server: House, tmp_path: Path) -> None:
    """Whoever sends a letter can write the others."""
    forged = f"Authentication-Results: mx.example.com; {SPF}; {DKIM}; {DMARC}\n"
    first, rest = letter("dmarc=fail").split("DKIM-Signature", 1)
    assert "DMARC: fail." in explained(
        tmp_path, f"{first}{forged}DKIM-Signature{rest}", 1
    )


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", NotAllowed, "is not a mail: it has no From"),
        (bytes(range(256)) * 1000, PbmError, "is not a mail"),
        (letter().encode(), NotAllowed, "No mail server has judged the letter"),
        (
            b"Authentication-Results: " + b";(" * 50_000 + b"\nFrom: a\n\n",
            PbmError,
            "is not a mail",
        ),
        (b"A: b\n" * 100_000, PbmError, "is not a mail"),
        (None, NotFound, "There is no file"),
    ],
)
def test_what_cannot_be_explained(
    server: House,
    tmp_path: Path,
    content: bytes | None,
    error: type[PbmError],
    words: str,
) -> None:
    path = tmp_path / "letter.eml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=words):
        owner.run(["check", "--mail", str(path)])


def test_a_letter_and_a_repair_are_two_things(server: House) -> None:
    with pytest.raises(NotAllowed, match="not both"):
        owner.run(["check", "--repair", "--mail", "x"])


def test_hostile_words_are_quoted(server: House, tmp_path: Path) -> None:
    text = letter("dkim=fail (\x1b[31m) header.d=x", 'spf=fail smtp.mailfrom=a@\x07"')
    assert "\x1b" not in explained(tmp_path, text, 1)
