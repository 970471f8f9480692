"""Accounts on the pages: signing up, in and out, and forgotten passwords."""

import re
from collections.abc import Iterable
from urllib.parse import urlencode

import pytest

from pbm_holomino.match import session
from pbm_holomino.match.times import later
from pbm_holomino.store.contract import WAITING
from pbm_holomino.store.files import spool
from tests.house import PASSWORDS, House, home, mail_of
from tests.web.browser import Browser, Form, Page, signed_in

WEB = "https://games.example.org"


@pytest.fixture
def secure(house: House) -> Browser:
    """A browser at a server that sends links."""
    house.config = house.config._replace(web=WEB)
    return Browser(house, WEB)


def link_in(house: House) -> str:
    (letter,) = house.taken()
    (found,) = re.findall(rf"{WEB}(/\S+)", letter.text)
    return str(found)


def test_a_player_signs_in_and_out(browser: Browser) -> None:
    page = browser.sign_in("alice")
    assert page.status == 200
    assert "Your turn" in page.text
    assert "holo 1" in page.text
    browser.send(page.form("/signout"))
    assert "pbm" not in browser.cookies
    assert "Sign in" in browser.get("/").text
    assert browser.get("/settings").url.endswith("/signin")


def test_a_wrong_password_signs_nobody_in(browser: Browser) -> None:
    form = browser.get("/signin").form("/signin")
    page = browser.send(form, userid="alice", password="xanadv")
    assert page.status == 403
    assert "That is not the password of that player." in page.text
    assert "xanadv" not in page.html
    assert "pbm" not in browser.cookies


def test_nobody_may_guess_for_long(browser: Browser) -> None:
    form = browser.get("/signin").form("/signin")
    for _ in range(20):
        assert browser.send(form, userid="alice", password="wrong").status == 403
    page = browser.send(form, userid="alice", password=PASSWORDS["alice"])
    assert "Too many wrong passwords" in page.text
    assert page.status == 403
    browser.house.time = "2026-11-20T09:00:00Z"
    assert browser.sign_in("alice").status == 200


def test_a_session_is_kept_as_a_hash(house: House, browser: Browser) -> None:
    browser.sign_in("alice")
    secret = browser.cookies["pbm"].partition(".")[2]
    assert len(secret) > 40
    for content in house.files().values():
        assert secret.encode() not in content
    (kept,) = house.data("players", "alice")["sessions"]
    assert kept.startswith(session.digest(secret))


def test_a_change_of_password_signs_all_other_browsers_out(house: House) -> None:
    here, elsewhere = Browser(house), Browser(house)
    here.sign_in("alice")
    elsewhere.sign_in("alice")
    page = here.press(
        "/settings", "/password", current=PASSWORDS["alice"], new="shangri-la"
    )
    assert page.status == 200
    assert "alice's boards" in here.get("/").text
    assert "alice's boards" not in elsewhere.get("/").text
    by_mail = here.house.type("change password alice shangri-la xanadu2")
    assert by_mail.status == 0
    assert "alice's boards" not in here.get("/").text


def test_a_session_ends_after_thirty_days(house: House, browser: Browser) -> None:
    browser.sign_in("alice")
    house.time = "2026-12-20T07:59:59Z"
    assert "alice's boards" in browser.get("/").text
    house.time = "2026-12-20T08:00:00Z"
    assert "alice's boards" not in browser.get("/").text


def test_an_account_has_at_most_twenty_sessions(house: House) -> None:
    browsers = [Browser(house) for _ in range(21)]
    for browser in browsers:
        browser.sign_in("alice")
    assert "alice's boards" not in browsers[0].get("/").text
    assert "alice's boards" in browsers[1].get("/").text


def test_cookies_of_a_site_with_tls_are_its_own(secure: Browser) -> None:
    form = secure.get("/signin").form("/signin")
    fields = {**form.fields, "userid": "alice", "password": PASSWORDS["alice"]}
    came = secure.ask("POST", "/signin", urlencode(fields).encode())
    (cookie,) = came.headers.getlist("set-cookie")
    assert cookie.startswith("__Host-pbm=alice.")
    for word in ("HttpOnly", "Path=/", "SameSite=lax", "Secure"):
        assert word in cookie
    assert "Domain" not in cookie


def test_pages_of_a_player_are_not_kept(browser: Browser) -> None:
    page = browser.sign_in("alice")
    assert page.headers["Cache-Control"] == "no-store"
    board = browser.get("/holo/1")
    assert board.headers["Cache-Control"] == "no-store"
    assert "ETag" not in board.headers


# By a link in a letter


def mailed(house: House, browser: Browser, who: str = "alice") -> str:
    """What is behind the # of a link that a stranger has had mailed to a player."""
    form = browser.get("/signin").form("/signin")
    page = browser.post("/signin/letter", {**form.fields, "userid": who})
    assert (page.status, "a letter with a link" in page.text) == (200, True)
    path, _, end = link_in(house).partition("#")
    assert path == "/signin/link"  # which is all that a proxy hears
    return end


def opened(browser: Browser, end: str) -> Page:
    """What comes when somebody presses the button of the page behind a link."""
    return browser.press("/signin/link", "/signin/link", link=end)


def test_a_link_signs_in_once(house: House, secure: Browser) -> None:
    end = mailed(house, secure)
    assert end.startswith("alice~")
    assert "alice's boards" in opened(secure, end).text
    eve = Browser(house, WEB, "192.0.9.1")
    assert "has been used" in opened(eve, end).text
    secure.send(secure.get("/").form("/signout"))
    assert "has been used" in opened(eve, end).text  # nor after its session
    assert opened(eve, end).status == 422
    assert "__Host-pbm" not in eve.cookies


def test_a_whole_link_may_be_typed(house: House, secure: Browser) -> None:
    page = opened(secure, f"{WEB}/signin/link#{mailed(house, secure)}")
    assert "alice's boards" in page.text


@pytest.mark.parametrize(
    ("seconds", "is_good"), [(3_600, True), (3_660, False), (86_400, False)]
)
def test_a_link_is_good_for_sixty_minutes(
    house: House, secure: Browser, seconds: int, is_good: bool
) -> None:
    end = mailed(house, secure)
    house.time = later(house.time, seconds=seconds)
    assert ("alice's boards" in opened(secure, end).text) == is_good


@pytest.mark.parametrize(
    "wrong", ["", "alice", "alice~", "bob~{word}", "alice~{word}x", "~{word}", "ä~ö"]
)
def test_what_is_no_link_signs_nobody_in(
    house: House, secure: Browser, wrong: str
) -> None:
    word = mailed(house, secure).partition("~")[2]
    assert opened(secure, wrong.format(word=word)).status == 422
    assert "__Host-pbm" not in secure.cookies


def test_a_new_password_or_session_ends_a_link(house: House, secure: Browser) -> None:
    ends = []
    for line in ("change password alice {alice} shangri-la", ""):
        ends.append(mailed(house, secure))
        if line:
            house.type(line)
            house.taken()
    former, present = ends
    assert opened(secure, former).status == 422
    assert "alice's boards" in opened(secure, present).text


def test_links_are_counted_by_who_asks_for_them(house: House, secure: Browser) -> None:
    far = Browser(house, WEB, "192.0.3.1")
    for browser, letters in ((secure, 5), (far, 5)):
        form = browser.get("/signin").form("/signin")
        for _ in range(7):
            page = browser.post("/signin/letter", {**form.fields, "userid": "alice"})
            assert page.status == 200
        assert len(house.taken()) == letters
    told = page.text
    form = far.get("/signin").form("/signin")
    nobody = far.post("/signin/letter", {**form.fields, "userid": "nobody"})
    assert nobody.text == told  # strangers learn nothing of who is here
    assert not house.taken()


def test_wrong_links_cannot_be_tried_for_long(house: House) -> None:
    house.config = house.config._replace(web=WEB, answers_per_hour=5)
    browser = Browser(house, WEB)
    end = mailed(house, browser)
    wrong = [opened(browser, f"alice~{'a' * 16}").status for _ in range(6)]
    assert wrong == [422] * 5 + [429]
    assert "alice's boards" in opened(browser, end).text


def test_a_server_without_an_address_mails_no_links(browser: Browser) -> None:
    page = browser.get("/signin")
    assert "Mail me a link" not in page.text
    form = page.form("/signin")
    page = browser.post("/signin/letter", {**form.fields, "userid": "alice"})
    assert (page.status, "sends no links" in page.text) == (422, True)


# Sessions


def test_a_player_ends_the_sessions_of_other_browsers(house: House) -> None:
    here, there, third = (Browser(house) for _ in range(3))
    for browser in (here, there, third):
        browser.sign_in("alice")
        house.time = later(house.time, seconds=86_400)
    page = here.get("/settings")
    assert "this browser, since 2026-11-20" in page.text
    for day in ("21", "22"):
        assert f"another browser, since 2026-11-{day}" in page.text
    _, one, others = (f for f in page.forms if f.action.endswith("/settings/sessions"))
    here.send(one)
    assert "alice's boards" not in there.get("/").text
    assert "alice's boards" in third.get("/").text
    assert "another browser, since 2026-11-21" not in here.get("/settings").text
    here.send(others)
    assert "alice's boards" not in third.get("/").text
    assert "alice's boards" in here.get("/").text
    here.send(one)  # a second time
    assert "alice's boards" in here.get("/").text


def test_nobody_ends_the_sessions_of_others(house: House) -> None:
    alice, bob = signed_in(house, "alice"), signed_in(house, "bob")
    signed_in(house, "bob")  # so that he has a form
    form = bob.get("/settings").form("/settings/sessions")
    theirs = session.digest(alice.cookies["pbm"].partition(".")[2])
    for wrong in (theirs, "", "nothing"):
        assert bob.send(form, value=wrong).status == 200
    assert "alice's boards" in alice.get("/").text


def test_signing_in_anew_ends_the_session_before(
    house: House, browser: Browser
) -> None:
    for _ in range(2):
        browser.sign_in("alice")
    kept = house.library.player("alice")
    assert kept is not None
    assert len(session.running(kept.sessions, house.time)) == 1


# Forms


@pytest.mark.parametrize("change", ["token", "source"])
def test_a_form_from_elsewhere_does_nothing(browser: Browser, change: str) -> None:
    browser.sign_in("bob")
    form = browser.get("/holo/1").form("/chat")
    for wrong in ("", "a" * 16, "-" + "0" * 16, "\u00e4"):
        page = browser.send(form, text="hello", **{change: wrong})
        assert page.status == 403
        assert "nothing has been done" in page.text
    assert not browser.house.match().said


def test_a_form_of_another_browser_does_nothing(house: House) -> None:
    alice, bob = Browser(house), Browser(house)
    alice.sign_in("alice")
    bob.sign_in("bob")
    form = alice.get("/holo/1").form("/resign")
    assert bob.send(form).status == 403
    assert house.match().result is None


def test_a_form_for_strangers_is_bound_to_their_browser(house: House) -> None:
    mine, theirs = Browser(house), Browser(house)
    form = mine.get("/signin").form("/signin")
    words = {"userid": "alice", "password": PASSWORDS["alice"]}
    theirs.get("/signin")
    assert theirs.send(form, **words).status == 403  # nobody is signed in unawares


def test_a_form_that_is_too_long_is_not_read(browser: Browser) -> None:
    browser.sign_in("alice")
    form = browser.get("/holo/1").form("/chat")
    assert browser.send(form, text="x" * 70_000).status == 413


# Signing up


def test_signing_up_takes_a_letter_and_a_button(house: House, secure: Browser) -> None:
    page = secure.press("/signup", "/signup", userid="Erin", address=home("erin"))
    assert "A letter is on its way to erin@example.org" in page.text
    link = link_in(house)
    assert house.library.account("erin") is None
    for _ in range(3):
        shown = secure.get(link)
        assert "Welcome, erin" in shown.text
    assert house.library.account("erin") is None  # looking changes nothing
    (form,) = (f for f in shown.forms if "password" in f.fields)
    page = secure.send(form, password="quokka77")
    assert "erin's boards" in page.text
    account = house.library.player("erin")
    assert account is not None
    assert account.addresses == (home("erin"),)
    assert secure.get(link).status == 200  # but nobody can use it twice
    again = Browser(house, WEB)
    (form,) = (f for f in again.get(link).forms if "password" in f.fields)
    page = again.send(form, password="other999")
    assert "is taken" in page.text


def test_a_link_is_for_one_address_and_a_day(house: House, secure: Browser) -> None:
    secure.press("/signup", "/signup", userid="erin", address=home("erin"))
    link = link_in(house)
    assert secure.get(link.replace("erin@", "eve@")).status == 422
    assert secure.get(link.replace("erin/", "eve/")).status == 422
    house.time = "2026-11-22T00:00:00Z"
    assert "too old" in secure.get(link).text


@pytest.mark.parametrize(
    ("userid", "address", "said"),
    [
        ("alice", "x@example.org", "is taken"),
        ("help", "x@example.org", "is a word of the commands"),
        ("e", "x@example.org", "A userid is a letter"),
        ("erin", "nowhere", "should be a mail address"),
    ],
)
def test_what_cannot_be_signed_up_is_told(
    house: House, secure: Browser, userid: str, address: str, said: str
) -> None:
    page = secure.press("/signup", "/signup", userid=userid, address=address)
    assert page.status == 422
    assert said in page.text
    assert not house.taken()


def test_a_link_that_would_be_lost_is_not_promised(
    house: House, secure: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MOST_KEPT", 1)
    house.store.kept.keep(WAITING, "old.eml", b"a letter that could not leave")
    for path, fields in (
        ("/signup", {"userid": "erin", "address": home("erin")}),
        ("/forgot", {"userid": "alice"}),
    ):
        page = secure.press(path, path, **fields)
        assert (page.status, "please try again later" in page.text) == (503, True)
    assert not house.taken()


def test_a_server_without_an_address_says_how_to_sign_up_by_mail(
    browser: Browser,
) -> None:
    assert "send a mail to pbm@localhost" in browser.get("/signup").text


def asks_for_links(browser: Browser, addresses: Iterable[str]) -> list[int]:
    """The statuses of the pages after somebody has asked for so many links."""
    form = browser.get("/signup").form("/signup")
    return [
        browser.send(form, userid=f"erin{number}", address=address).status
        for number, address in enumerate(addresses)
    ]


def test_nobody_floods_an_address_with_links(house: House) -> None:
    """From however many networks."""
    house.config = house.config._replace(web=WEB, signups_per_hour=1_000)
    statuses = [
        status
        for number in range(7)
        for status in asks_for_links(
            Browser(house, WEB, f"192.0.{number}.1"), [home("erin")] * 10
        )
    ]
    assert statuses == [200] * 60 + [429] * 10
    assert len(house.taken()) == 60


def test_one_network_gets_half_of_an_hours_links(house: House) -> None:
    """From whatever addresses of it, and to whatever addresses."""
    house.config = house.config._replace(web=WEB, signups_per_hour=7)
    one, same, other, third = (
        Browser(house, WEB, address)
        for address in ("192.0.2.1", "192.0.2.200", "192.0.3.1", "2001:db8::1")
    )
    homes = [f"{number}@example.org" for number in range(5)]
    assert asks_for_links(one, homes) == [200] * 4 + [429]
    assert asks_for_links(same, homes[:1]) == [429]
    assert asks_for_links(other, homes) == [200] * 3 + [429] * 2
    assert asks_for_links(third, homes[:1]) == [429]
    assert len(house.taken()) == 7


def signs_up(house: House, browser: Browser, password: str = "quokka77") -> Form:
    """The form behind the link by which erin has signed up."""
    browser.press("/signup", "/signup", userid="erin", address=home("erin"))
    page = browser.get(link_in(house))
    form = next(form for form in page.forms if "password" in form.fields)
    assert "erin's boards" in browser.send(form, password=password).text
    return form


@pytest.mark.parametrize("status", ["on", "off"])
def test_the_link_of_an_account_tells_nothing_of_its_password(
    house: House, secure: Browser, status: str
) -> None:
    """Nor does it sign anybody in, be the account signed off."""
    link = signs_up(house, secure).action
    if status == "off":
        assert house.type("signoff erin quokka77").status == 0
    eve = Browser(house, WEB, "192.0.9.1")
    form = next(f for f in eve.get(link).forms if "password" in f.fields)
    pages = [eve.send(form, password=word) for word in ("wrong77", "quokka77")]
    assert pages[0].text == pages[1].text
    assert [page.status for page in pages] == [422, 422]
    assert "is taken" in pages[0].text
    assert "__Host-pbm" not in eve.cookies
    account = house.library.player("erin")
    assert account is not None
    assert account.status == status


def test_a_sign_up_that_is_sent_twice_counts_once(house: House) -> None:
    """Its browser may not have seen the answer; but it signs in only with the right
    password, and may not guess for long."""
    house.config = house.config._replace(web=WEB)
    browser = Browser(house, WEB)
    form = signs_up(house, browser)
    del browser.cookies["__Host-pbm"]  # as if the answer had not come
    house.taken()
    assert "erin's boards" in browser.send(form, password="quokka77").text
    assert not house.taken()
    del browser.cookies["__Host-pbm"]
    for number in range(20):
        page = browser.send(form, password=f"wrong{number}")
        assert page.status == 403
        assert "not the password" in page.text
    page = browser.send(form, password="quokka77")
    assert "Too many wrong passwords" in page.text
    assert "__Host-pbm" not in browser.cookies


@pytest.mark.parametrize(
    "link",
    [
        "/signup/erin/erin@example.org/" + "a" * 16,
        "/link/holo/1/0/alice/" + "a" * 16,
        "/calendar/alice/" + "a" * 16 + ".ics",
    ],
)
def test_links_that_prove_nothing_are_counted_by_network(
    house: House, link: str
) -> None:
    house.config = house.config._replace(web=WEB, answers_per_hour=5)
    here, near, far = (
        Browser(house, WEB, address)
        for address in ("192.0.2.1", "192.0.2.9", "192.0.3.1")
    )
    statuses = [browser.get(link).status for browser in (here, near) * 4]
    wrong = 404 if "calendar" in link else 422
    assert statuses == [wrong] * 5 + [429] * 3
    assert far.get(link).status == wrong
    # a link that is right is as good as ever
    near.press("/signup", "/signup", userid="erin", address=home("erin"))
    assert near.get(link_in(house)).status == 200


# Forgotten passwords


def test_a_forgotten_password_is_renewed_by_a_word(
    house: House, browser: Browser
) -> None:
    page = browser.press("/forgot", "/forgot", userid="alice")
    assert "a letter is on its way" in page.text
    (letter,) = house.taken()
    (word,) = re.findall("~[a-z2-7]{16}", letter.text)
    refused = browser.send(
        page.form("/renew"), userid="alice", word="~" + "a" * 16, password="newer44"
    )
    assert refused.status == 422
    done = browser.send(
        page.form("/renew"), userid="alice", word=word, password="newer44"
    )
    assert "alice's boards" in done.text
    assert house.type("holo showas alice newer44 1").status == 0


def test_forgot_tells_a_stranger_nothing(house: House, browser: Browser) -> None:
    told = browser.press("/forgot", "/forgot", userid="nobody").text
    assert browser.press("/forgot", "/forgot", userid="bob").text == told.replace(
        "nobody", "bob"
    )
    (letter,) = house.taken()
    assert letter.to == (home("bob"),)


def test_a_network_gets_one_letter_about_a_forgotten_password(house: House) -> None:
    browsers = [
        Browser(house, address=address)
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.9", "192.0.3.1", "192.0.4.1")
    ]
    told = [
        browser.press("/forgot", "/forgot", userid="alice").text for browser in browsers
    ]
    assert len({*told}) == 1
    assert len(house.taken()) == 2
    assert len(house.mail(mail_of("forgot alice"))) == 2


# Closed to strangers


def test_the_owner_can_close_the_boards(house: House) -> None:
    house.config = house.config._replace(web_public="no")
    browser = Browser(house)
    for path in ("/holo/1", "/holo", "/players/alice", "/holo/1/0", "/holo/ratings"):
        assert browser.get(path).url.endswith("/signin"), path
    assert "holo 1" not in browser.get("/").text
    assert browser.get("/help/holo").status == 200
    browser.sign_in("alice")
    assert "alice against bob" in browser.get("/holo/1").text


@pytest.mark.parametrize(
    "claim", ["9.9.9.9, 1.2.{}.4", "9.9.9.9\n1.2.{}.4", "9.9.9.9, 8.8.8.8\n 1.2.{}.4 "]
)
def test_only_named_proxies_say_where_a_request_comes_from(
    house: House, claim: str
) -> None:
    """The last one says it, in the last line of these headers."""
    for proxies, most in (("", 20), ("192.0.2.9,192.0.2.1", 40)):
        house.config = house.config._replace(web_proxies=proxies)
        browser = Browser(house)
        form = browser.get("/signin").form("/signin")
        fields = {**form.fields, "userid": "bob", "password": "wrong"}
        pages = [
            browser.post("/signin", fields, X_Forwarded_For=claim.format(n % 2))
            for n in range(41)
        ]
        locked = ["Too many wrong" in page.text for page in pages]
        assert locked.index(True) == most
        house.time = "2026-11-20T10:00:00Z"


def test_a_customers_network_counts_as_one_client(house: House) -> None:
    first, second, third = (
        Browser(house, address=address)
        for address in ("2001:db8:1:2::1", "2001:db8:1:f3::9", "2001:db8:1:102::1")
    )
    for _ in range(20):
        form = first.get("/signin").form("/signin")
        first.send(form, userid="alice", password="wrong")
    assert second.sign_in("alice").status == 403
    assert third.sign_in("alice").status == 200
