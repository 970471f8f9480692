"""Requests that no browser makes never end in an error of ours."""

from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.browser import Browser

TEXT = st.text(max_size=40)
WORDS = st.one_of(
    TEXT,
    st.sampled_from(
        ["holo", "walomino", "1", "2", "link", "players", "news", "move", "alice"]
        + ["tournaments", "open", "review", "hint", "join", "robot1"]
        + ["-1", "9" * 30, "\0", "%", "..", "~aaaabbbbccccdddd", "take:any", "#", "²"]
    ),
)
PATHS = st.lists(WORDS, max_size=7).map(lambda words: "/" + "/".join(words))
NAMES = st.one_of(
    TEXT,
    st.sampled_from(
        ["move", "no", "text", "moves", "others", "first", "userid", "password", "word"]
        + ["value", "current", "new", "-pool_size", "-rules", "-random", "address"]
        + ["-rated", "robot:robot1", "robot:"]
    ),
)
FIELDS = st.dictionaries(NAMES, WORDS, max_size=6)
HEADERS = st.dictionaries(
    st.sampled_from(["Cookie", "X-Forwarded-For", "If-None-Match", "Accept-Encoding"]),
    st.text(st.characters(max_codepoint=255), max_size=60),
    max_size=3,
)
PATIENT = settings(max_examples=25)
FORMS = (
    ["/holo/1/move", "/holo/1/chat", "/holo/1/queue", "/holo/1/resign", "/holo/1/undo"]
    + ["/holo/1/accept", "/holo/1/rematch", "/challenge/hextol", "/signin", "/signup"]
    + ["/forgot", "/renew", "/owner", "/settings/vacation", "/settings/address"]
    + ["/settings/choices", "/settings/sessions", "/signin/link", "/signin/letter"]
    + ["/settings/password", "/settings/block", "/holo/1/hint", "/holo/1/review"]
    + ["/tournaments/1/join", "/tournaments/1/leave"]
)


@PATIENT
@given(path=PATHS, query=TEXT, headers=HEADERS)
def test_no_path_breaks_a_page(
    browser: Browser, path: str, query: str, headers: dict[str, str]
) -> None:
    if path.endswith("/news"):  # a stream
        return
    came = browser.ask("GET", f"{path}?move={query}", b"", **headers)
    assert came.status < 500


@PATIENT
@given(path=PATHS, body=st.binary(max_size=200))
def test_no_body_breaks_a_form(browser: Browser, path: str, body: bytes) -> None:
    before = browser.house.records()
    came = browser.ask("POST", path, body)
    assert 400 <= came.status < 500
    assert browser.house.records() == before


@PATIENT
@given(path=st.sampled_from(FORMS), fields=FIELDS)
def test_no_fields_of_a_player_break_a_form(
    browser: Browser, path: str, fields: dict[str, str]
) -> None:
    browser.sign_in("bob")
    page = browser.get("/holo/1")
    hidden = page.form("/chat").fields
    mine = {"source": hidden["source"], "token": hidden["token"]}
    body = urlencode({**fields, **mine}).encode("utf-8", "surrogatepass")
    came = browser.ask("POST", path, body)
    assert came.status < 500
    assert browser.house.match().record.players == ("alice", "bob")


AHEAD = st.lists(st.one_of(WORDS, st.from_regex(r"\A[1-6]{3}:\d{1,3}\Z")), max_size=4)


@PATIENT
@given(
    page=st.sampled_from(["preview", "moves", "0", "9" * 9]),
    move=st.one_of(WORDS, st.from_regex(r"\A(pass:)?[1-6]{3}(:\d{1,3})?\Z")),
    ahead=st.one_of(st.none(), AHEAD),
)
def test_no_move_breaks_what_a_player_looks_at(
    browser: Browser, page: str, move: str, ahead: list[str] | None
) -> None:
    browser.sign_in("bob")
    before = browser.house.records()
    words = {"move": move} | ({} if ahead is None else {"ahead": " ".join(ahead)})
    query = urlencode({k: v.encode("utf-8", "replace") for k, v in words.items()})
    came = browser.ask("GET", f"/holo/1/{page}?{query}")
    assert came.status < 500
    assert browser.house.records() == before
