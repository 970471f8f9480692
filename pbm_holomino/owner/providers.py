"""Providers of mailboxes: their servers, and what their customers should know."""

from fnmatch import fnmatchcase

from pbm_holomino.mail.oauth import SignIn
from pbm_holomino.named_tuples import NamedTuple


class Provider(NamedTuple):
    """A provider, and the settings that its customers need."""

    name: str
    domains: tuple[str, ...]  # of its addresses; they may have a `*`
    imap: str = ""  # its servers, with ports that are not the usual ones
    smtp: str = ""
    advice: str = ""  # on the password, and on what must be switched on
    auth: str = "password"
    letters_per_day: int = 0
    blanks: bool = False  # in passwords, which do not count
    done: str = ""  # the use of the folder for mails that are done (RFC 6154)
    unfit: str = ""  # why it cannot be used
    sign_in: SignIn | None = None  # where its owners sign in, if it takes only tokens


def of_address(address: str) -> Provider | None:
    """The provider of an address, if its domain is that of a provider."""
    domain = address.rpartition("@")[2].lower()
    patterns = ((each, pattern) for each in PROVIDERS for pattern in each.domains)
    return next((each for each, p in patterns if fnmatchcase(domain, p)), None)


def of_server(server: str) -> Provider | None:
    """The provider with this server for incoming mail: it may serve any domain."""
    place = server.lower().removesuffix(":993")
    with_it = (each for each in PROVIDERS if each.imap == place)
    return next(with_it, None)


def _app_password(name: str, page: str, more: str = "") -> str:
    """The advice where the usual password does not work."""
    return (
        f"{name} does not accept your usual password here. It wants an app password, "
        f"which you make at {page}{more}."
    )


def _usual_password(page: str, more: str = "") -> str:
    """The advice where an app password is needed only with two-factor login."""
    return (
        "With two-factor login you need an app password, otherwise your usual one will "
        f"do: see {page}.{more}"
    )


_TWO_STEPS = " (switch on 2-step verification first)"
_IMAP_IS_OFF = (
    " Also allow POP3 and IMAP in the settings of the mailbox: they are off at first."
)
PROVIDERS = (
    Provider(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        "imap.gmail.com",
        "smtp.gmail.com",
        _app_password("Gmail", "https://myaccount.google.com/apppasswords", _TWO_STEPS),
        letters_per_day=500,
        blanks=True,
        done="Trash",  # what is deleted by IMAP would stay in "All Mail"
    ),
    Provider(
        "Microsoft",
        ("outlook.*", "hotmail.*", "live.*", "msn.com", "windowslive.com")
        + ("*.onmicrosoft.com",),
        "outlook.office365.com",
        "smtp.office365.com:587",
        "Microsoft (Outlook.com, Hotmail, Microsoft 365) has ended passwords for "
        "programs: it takes only tokens (OAuth 2), for programs that are registered "
        "there. A mailbox at a provider with app passwords is much easier to set up. "
        "If it is to be this one, you register your server once, which is free.",
        auth="xoauth2",
        sign_in=SignIn(
            "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
            "https://login.microsoftonline.com/common/oauth2/v2.0/token",
            "https://outlook.office.com/IMAP.AccessAsUser.All "
            "https://outlook.office.com/SMTP.Send offline_access",
            (
                "Open https://entra.microsoft.com in a browser, and sign in; it need "
                "not be with the server's mailbox.",
                'Under "App registrations" choose "New registration". Give it a name, '
                'such as "Games by mail", and take "Accounts in any organizational '
                'directory and personal Microsoft accounts". It needs no redirect URI.',
                'Under "Authentication" allow public client flows, and save.',
                'Under "API permissions" add, as delegated permissions of Microsoft '
                "Graph, IMAP.AccessAsUser.All, SMTP.Send and offline_access.",
                'Under "Overview" stands the "Application (client) ID", which is asked '
                "for now. It is no secret.",
            ),
        ),
    ),
    Provider(
        "Yahoo",
        ("yahoo.*", "ymail.com", "rocketmail.com", "myyahoo.com"),
        "imap.mail.yahoo.com",
        "smtp.mail.yahoo.com",
        _app_password("Yahoo", "https://login.yahoo.com/account/security"),
        letters_per_day=500,
        blanks=True,
    ),
    Provider(
        "AOL",
        ("aol.*", "aim.com", "netscape.net", "compuserve.com"),
        "imap.aol.com",
        "smtp.aol.com",
        _app_password("AOL", "https://login.aol.com/account/security"),
        letters_per_day=500,
        blanks=True,
    ),
    Provider(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        "imap.mail.me.com",
        "smtp.mail.me.com:587",
        _app_password("iCloud", 'https://account.apple.com under "Sign-In"'),
        letters_per_day=1000,
    ),
    Provider(
        "Fastmail",
        ("fastmail.*", "sent.com", "pobox.com", "messagingengine.com"),
        "imap.fastmail.com",
        "smtp.fastmail.com",
        _app_password("Fastmail", 'Settings, "Privacy & Security"'),
    ),
    Provider(
        "GMX",
        ("gmx.net", "gmx.de", "gmx.at", "gmx.ch", "gmx.eu", "gmx.org", "gmx.info"),
        "imap.gmx.net",
        "mail.gmx.net",
        _usual_password('"Mein Account", "Sicherheit"', _IMAP_IS_OFF),
    ),
    Provider(
        "GMX",
        ("gmx.com", "gmx.us", "gmx.co.uk", "gmx.fr", "gmx.es"),
        "imap.gmx.com",
        "mail.gmx.com",
        _usual_password('"My Account", "Security Options"', _IMAP_IS_OFF),
    ),
    Provider(
        "web.de",
        ("web.de",),
        "imap.web.de",
        "smtp.web.de",
        _usual_password('"Mein Account", "Sicherheit"', _IMAP_IS_OFF),
    ),
    Provider(
        "T-Online",
        ("t-online.de", "magenta.de"),
        "secureimap.t-online.de",
        "securesmtp.t-online.de",
        "T-Online does not accept your usual password here. It wants its "
        '"E-Mail-Passwort", which you choose at https://account.idm.telekom.com.',
    ),
    Provider(
        "Posteo",
        ("posteo.*",),
        "posteo.de",
        "posteo.de",
        _usual_password('Settings, "Password and security"'),
    ),
    Provider(
        "mailbox.org",
        ("mailbox.org",),
        "imap.mailbox.org",
        "smtp.mailbox.org",
        _usual_password('All settings, Security, "Email app-passwords"'),
    ),
    Provider(
        "Proton",
        ("proton.me", "protonmail.com", "protonmail.ch", "pm.me"),
        "127.0.0.1:1143",
        "127.0.0.1:1025",
        "Proton is reached through Proton Mail Bridge, a program of its own for paid "
        "accounts, which must run on this machine. Use the password that Bridge shows. "
        "Before you begin, export its certificate (Settings, Advanced), and name the "
        "file cert.pem in config.yaml, as tls_ca_file.",
    ),
    Provider(
        "Zoho",
        ("zoho.com", "zohomail.com"),
        "imap.zoho.com",
        "smtp.zoho.com",
        _usual_password("https://accounts.zoho.com", _IMAP_IS_OFF),
    ),
    Provider(
        "Zoho",
        ("zoho.eu", "zohomail.eu"),
        "imap.zoho.eu",
        "smtp.zoho.eu",
        _usual_password("https://accounts.zoho.eu", _IMAP_IS_OFF),
    ),
    Provider(
        "Yandex",
        ("yandex.*", "ya.ru"),
        "imap.yandex.com",
        "smtp.yandex.com",
        _app_password("Yandex", "https://id.yandex.com/security/app-passwords")
        + " Also allow IMAP in the settings of the mailbox, for mail programs.",
    ),
    Provider(
        "Mail.ru",
        ("mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"),
        "imap.mail.ru",
        "smtp.mail.ru",
        _app_password("Mail.ru", "https://account.mail.ru/user/2-step-auth/passwords"),
    ),
    Provider(
        "Tuta",
        ("tuta.com", "tuta.io", "tutanota.com", "tutanota.de", "tutamail.com"),
        unfit="Tuta lets no other program read mail (it has no IMAP).",
    ),
    Provider(
        "HEY",
        ("hey.com",),
        unfit="HEY lets no other program read mail (it has no IMAP).",
    ),
)
