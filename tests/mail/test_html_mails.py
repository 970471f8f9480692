"""Mails that are only HTML: which text is read, and how."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm_holomino.commands.texts import CUT_OFF, first_line
from pbm_holomino.mail.incoming import Mail, read
from pbm_holomino.mail.markup import text_of
from tests.house import mail_of
from tests.mail.test_incoming import parts
from tests.sizes import sized


def received(raw: bytes) -> Mail:
    mail = read(raw, "pbm@localhost")
    assert mail is not None
    return mail


def body_of(html: str) -> str:
    return received(mail_of("help", body=html, Content_Type="text/html")).body.strip()


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("123:17", "123:17"),
        ("<html><body>123:17<br>Hi</body></html>", "123:17\nHi"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
        ("<p>a<p>b", "a\n\nb"),
        ("<p class=MsoNormal>a</p><p class=MsoNormal>b</p>", "a\nb"),
        ("<p style='margin: 0px'>a</p><p style='margin:0'>b</p>", "a\nb"),
        ("a\n  b <i>c</i>d\t<b> e</b>", "a b cd e"),
        ("a&nbsp;&lt;b&#62; &eacute;", "a\xa0<b> \xe9"),
        ("<pre>a\n  b\n</pre>c", "a\n  b\n\nc"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"),
        ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
        ("a<!-- b --><![if !c]>d<![endif]><!--[if mso]>e<![endif]-->", "ad"),
        ("<title>a</title><style>b</style><script>c</script>d", "d"),
        ("a<img alt=b src=c>d", "ad"),
        ("a</div></p></nobody>b", "ab"),
        ("", ""),
        ("<div>", ""),
    ],
)
def test_html_as_a_person_sees_it(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    "hidden",
    ["style='display:none'", "style='color:red; Display : None'", "hidden"]
    + ["style='visibility:hidden;'", "style='mso-hide:all'", "style='font-size:0'"]
    + ["style='max-height:0px;overflow:hidden'"],
)
@pytest.mark.parametrize("tag", ["div", "span"])
def test_what_nobody_sees_is_not_read(hidden: str, tag: str) -> None:
    html = f"<{tag} {hidden}>resign<{tag}>and</{tag}> more</{tag}><div>pass</div>"
    assert text_of(html) == "pass"
    assert text_of(f"<{tag} style='font-size:0.9em;max-height:0.5em'>a</{tag}>") == "a"


@pytest.mark.parametrize(
    "quoted",
    ["<blockquote>{}</blockquote>", "<blockquote type=cite><p>{}</blockquote>"]
    + ["<div class='gmail_quote'><blockquote class=gmail_quote>{}</blockquote></div>"]
    + ["<div class='ydp1yahoo_quoted x' id='ydp1yahoo_quoted_2'><div>{}</div></div>"]
    + ["<div class='moz-forward-container'>{}</div>", "<div name='quote'>{}</div>"],
)
def test_a_quoted_letter_has_the_marks_of_one(quoted: str) -> None:
    html = f"<div>pass</div>{quoted.format('Shall<br>we?')}<div>Now.</div>"
    marked = [line for line in text_of(html).split("\n") if line]
    assert marked == ["pass", "> Shall", "> we?", "Now."]
    assert first_line(text_of(html))[0] == "pass"
    assert "we?" not in first_line(text_of(html))[1]


@pytest.mark.parametrize(
    "rule",
    ["<hr><div id=divRplyFwdMsg>Bob</div>", "<hr id='zwchr'>"]
    + ["<div style='border:none;border-top:solid #EEE 1pt;padding:3pt 0in'>Bob</div>"]
    + ["<div id=mail-editor-reference-message-container><div>Bob</div></div>"],
)
def test_what_follows_outlooks_rule_is_quoted(rule: str) -> None:
    html = f"<div>pass</div>{rule}<div>Shall we?</div><p>Or</p>"
    others = [line for line in text_of(html).split("\n") if line][1:]
    assert others
    assert all(line.startswith("> ") for line in others)


def test_indented_text_is_no_quotation() -> None:
    style = "margin:0 0 0 40px;border:none;padding:0px"
    assert text_of(f"<blockquote style='{style}'>pass</blockquote>") == "pass"


@pytest.mark.parametrize("name", ["gmail_signature", "moz-signature", "Signature"])
def test_a_signature_is_not_read(name: str) -> None:
    for key in ("id", "class"):
        html = f"<div>pass</div><div {key}='{name}'>Alice<div>x</div></div>y"
        assert text_of(html).split() == ["pass", "y"]


HTML = "Content-Type: text/html\n\n<p>pass</p>"
PLAIN = "Content-Type: text/plain\n\n"


@pytest.mark.parametrize(
    ("texts", "body"),
    [
        ((HTML,), "pass"),
        ((f"{PLAIN}Hello", HTML), "Hello"),
        ((HTML, f"{PLAIN}Hello"), "Hello"),
        ((f"{PLAIN} \n\xa0\n", HTML), "pass"),
        ((f"{PLAIN} \n", HTML, f"{PLAIN}Hello"), "Hello"),
        ((f"Content-Disposition: attachment\n{HTML}",), ""),
        ((HTML.replace("pass", " "), HTML), ""),  # only the first is read
    ],
)
def test_plain_text_comes_first_unless_it_is_blank(
    texts: tuple[str, ...], body: str
) -> None:
    mail = received(parts(*texts, kind="alternative"))
    assert (mail.body.strip(), mail.subject) == (body, "holo show 12")


@pytest.mark.parametrize(
    "said",
    ["html", "text", "text-html", "texthtml", "/", ";", "text/html charset=utf-8"]
    + ["text/html, charset=utf-8", "text/html; charset", "text / html", "{type}"],
)
def test_html_is_read_as_html_though_its_type_makes_no_sense(said: str) -> None:
    body = "<div>chat</div><p>my&nbsp;<b>word</b></p>"
    mail = received(mail_of("", body=body, Content_Type=said))
    assert mail.body.split() == ["chat", "my", "word"]
    assert received(mail_of("", body=f"\n {body}")).body.split()[0] == "chat"


@pytest.mark.parametrize("said", ["text/plain", "TEXT/plain; charset=utf-8", "html"])
def test_plain_text_stays_as_it_is(said: str) -> None:
    body = "<3 means that I like it" if said == "html" else "<p>is a tag</p>"
    mail = received(mail_of("", body=body, Content_Type=said))
    assert mail.body.strip() == body


def test_long_html_is_cut() -> None:
    assert body_of(f"<p>pass</p>{'<p>x</p>' * 15_000}").endswith(CUT_OFF)
    mail = received(mail_of("help", body="<p>" * 400_000, Content_Type="text/html"))
    assert "too long" in str(mail.problem)


N = 100_000
BOMBS = {
    "depth": "<div>" * (N // 5),
    "formatting": "<p>" + "".join(f"<b id={i}>" for i in range(2000)) + "<p>x" * 19_000,
    "ends": "<div>" * (N // 10) + "</p>" * (N // 8),
    "unknown ends": "</x>" * (N // 4),
    "quotations": "<blockquote>" * (N // 12),
    "open quotes": '<a b="' * (N // 6),
    "attributes": "<a " + " ".join(f"a{i}=1" for i in range(N // 8)) + ">",
    "classes": f"<p class='{'a ' * (N // 2)}'>",
    "comments": "<!--" * (N // 4),
    "brackets": "<" * N,
    "entities": "&" * N,
    "foreign": "<svg>" * (N // 5) + "</p>",
}


@pytest.mark.parametrize("name", BOMBS)
def test_html_that_was_made_to_do_harm_costs_little(name: str) -> None:
    """A parser that builds a tree takes gigabytes for some of these, and minutes for
    others."""
    code = (
        "import resource, sys; from pbm_holomino.mail.markup import text_of;"
        "resource.setrlimit(resource.RLIMIT_CPU, (20, 20));"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29));"
        "text_of(sys.stdin.read())"
    )
    done = subprocess.run([sys.executable, "-c", code], input=BOMBS[name].encode())
    assert done.returncode == 0


WORDS = ["<p>", "</p>", "<div>", "</div>", "<blockquote>", "</blockquote>", "<br>", "x"]
WORDS += [
    "<pre>",
    "</pre>",
    "\n",
    "<span hidden>",
    "</span>",
    "<td>",
    "<b",
    ">",
    "&lt;",
]
WORDS += ["<div id=divRplyFwdMsg>", "<!--", "-->", "<script>", "</script>", "'", "="]


@settings(max_examples=sized(60, 2_000))
@given(st.lists(st.sampled_from(WORDS), max_size=30).map("".join))
def test_any_html_has_a_text(html: str) -> None:
    assert text_of(html).count("x") <= html.count("x")


@settings(max_examples=sized(60, 2_000))
@given(st.text(max_size=200))
def test_any_text_is_read_as_html(text: str) -> None:
    text_of(text)
