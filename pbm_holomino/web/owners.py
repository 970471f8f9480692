"""The page of the owner, which shows how the server is, and changes nothing. Its link
is mailed to the owner's address whenever somebody asks, and works for a quarter of an
hour."""

from starlette.responses import Response

from pbm_holomino.commands.accounts import check_room_for_letter
from pbm_holomino.errors import NotAllowed, PbmError
from pbm_holomino.languages import Text, sentence
from pbm_holomino.letters import to_owner
from pbm_holomino.match import signing_in
from pbm_holomino.web import articles
from pbm_holomino.web.visit import NoPage, Visit, status_of

_MOST_LINKS = 6  # in an hour
_MOST_TO_ONE = 3  # of them, for one network
_FOLDER = "owner"


def ask_page(visit: Visit) -> Response:
    """The button that has a link mailed to the owner."""
    return _ask_page(visit)


def _ask_page(
    visit: Visit, said: Text = "", status: int = 200, told: Text = ""
) -> Response:
    return visit.page("owner.html", status, said=said, told=told)


def send_link(visit: Visit) -> Response:
    """Mail the link to the owner's address, if there is one. Everybody gets the same
    answer."""
    site, now = visit.site, visit.now
    try:
        if not site.config.web:
            raise NotAllowed(
                sentence("This server sends no links: it does not know its address.")
            )
        check_room_for_letter(visit.library)
        visit.allowance.answers.ask()
    except PbmError as error:
        return _ask_page(visit, error.said, status_of(error))
    claims = {
        "links": (1, _MOST_LINKS),
        f"links for {visit.network}": (1, _MOST_TO_ONE),
    }
    is_sent = visit.library.store.counters.claim(_FOLDER, now[:13], claims)
    if is_sent and site.config.owner:
        link = f"{site.address}/owner/{signing_in.owners_word(visit.library.key, now)}"
        site.server.delivery.send([to_owner.link(link, site.config.owner)])
    told = sentence(
        "If this server knows a mail address of its owner, a letter with a link is on "
        "its way there. The link works for {minutes} minutes. At most {most} of these "
        "letters are sent in an hour.",
        minutes=signing_in.OWNERS_MINUTES,
        most=_MOST_LINKS,
    )
    return _ask_page(visit, told=told)


def page(visit: Visit) -> Response:
    """What the link shows. Raises NoPage for a link that is wrong or too old, or
    TooMany."""
    if not signing_in.is_owners(visit.word("proof"), visit.library.key, visit.now):
        visit.allowance.answers.open_wrong_link()
        raise NoPage
    found = visit.site.overview(visit.site.server)
    sections = [(heading, articles.rows(text, "report")) for heading, text in found]
    return visit.page("overview.html", sections=sections)
