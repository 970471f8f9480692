"""What mail programs write in the language of their user.

Written after mails of these programs, and after the translations that come with
Thunderbird and K-9 where they could be looked up.
"""

from typing import NamedTuple

SERVER = "pbm@example.org"
NAMED = f"Holomino <{SERVER}>"  # as From: of the letter that is answered


class Language(NamedTuple):
    """The words of one language. `charset` is what older programs use; `wrote` has the
    attribution of each program, in the order of PROGRAMS without Outlook; `headers` are
    Outlook's names of From, Sent, To and Subject."""

    charset: str
    words: str  # of the player, long enough to be wrapped
    wrote: tuple[str, str, str, str, str, str]
    headers: tuple[str, str, str, str]
    prefixes: tuple[str, str]  # Outlook's for answers, and for what is forwarded
    outlook: str  # what Outlook, Apple Mail, K-9 and Yahoo add below
    apple: str
    k9: str
    yahoo: str
    begin: str  # of a letter that Apple Mail forwards
    forwarded: tuple[str, str, str]  # of Thunderbird, K-9 and Yahoo
    disclaimer: str


LANGUAGES = {
    "en": Language(
        charset="us-ascii",
        words="That was a very good move of yours, and I looked for an answer to it "
        "for the whole evening before I found this one.",
        wrote=(
            f"On Fri, Nov 20, 2026 at 9:12\u202fAM {NAMED} wrote:",
            f"On Nov 20, 2026, at 9:12\u202fAM, {NAMED} wrote:",
            "On 11/20/26 09:12, Holomino wrote:",
            f"On November 20, 2026 9:12:33 AM GMT+01:00, {NAMED} wrote:",
            "On Fri, Nov 20, 2026 at 09:12:33AM +0100, Holomino wrote:",
            f"On Friday, November 20, 2026 at 09:12:33 AM GMT+1, {NAMED} wrote:",
        ),
        headers=("From:", "Sent:", "To:", "Subject:"),
        prefixes=("RE: ", "FW: "),
        outlook="Get Outlook for iOS",
        apple="Sent from my iPhone",
        k9="Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        yahoo="Sent from Yahoo Mail for iPhone",
        begin="Begin forwarded message:",
        forwarded=("Forwarded Message", "Original Message", "Forwarded Message"),
        disclaimer="This e-mail and its attachments are confidential and meant only "
        "for the intended recipient. If you received it in error, please delete it.",
    ),
    "de": Language(
        charset="iso-8859-1",
        words="Das war ein sehr schöner Zug, und ich habe den ganzen Abend nach einer "
        "Antwort gesucht, bis mir dieser hier eingefallen ist. Grüße!",
        wrote=(
            f"Am Fr., 20. Nov. 2026 um 09:12\u202fUhr schrieb {NAMED}:",
            f"Am 20.11.2026 um 09:12 schrieb {NAMED}:",
            "Am 20.11.26 um 09:12 schrieb Holomino:",
            f"Am 20. November 2026 09:12:33 MEZ schrieb {NAMED}:",
            "Holomino schrieb am Fr, 20. Nov 2026 um 09:12:",
            "Am Freitag, 20. November 2026 um 09:12:33 MEZ hat "
            f"{NAMED} Folgendes geschrieben:",
        ),
        headers=("Von:", "Gesendet:", "An:", "Betreff:"),
        prefixes=("AW: ", "WG: "),
        outlook="Holen Sie sich Outlook für iOS",
        apple="Von meinem iPhone gesendet",
        k9="Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        yahoo="Gesendet von Yahoo Mail auf meinem iPhone",
        begin="Anfang der weitergeleiteten Nachricht:",
        forwarded=(
            "Weitergeleitete Nachricht",
            "Ursprüngliche Nachricht",
            "Weitergeleitete Nachricht",
        ),
        disclaimer="Diese E-Mail ist vertraulich und nur für den Empfänger bestimmt. "
        "Wenn Sie sie irrtümlich erhalten haben, löschen Sie sie bitte.",
    ),
    "nl": Language(
        charset="iso-8859-1",
        words="Dat was een heel mooie zet, en ik heb er de hele avond een antwoord op "
        "gezocht voordat ik deze vond. Eén ding nog: veel plezier!",
        wrote=(
            f"Op vr 20 nov 2026 om 09:12 schreef {NAMED}:",
            f"Op 20 nov 2026 om 09:12 heeft {NAMED} het volgende geschreven:",
            "Op 20-11-2026 om 09:12 schreef Holomino:",
            f"Op 20 november 2026 09:12:33 CET schreef {NAMED}:",
            "Op vr 20 nov 2026 om 09:12 schreef Holomino:",
            f"Op vrijdag 20 november 2026 om 09:12:33 CET schreef {NAMED}:",
        ),
        headers=("Van:", "Verzonden:", "Aan:", "Onderwerp:"),
        prefixes=("Antw: ", "FW: "),
        outlook="Outlook voor iOS downloaden",
        apple="Verstuurd vanaf mijn iPhone",
        k9="Verzonden vanaf mijn Android-apparaat met K-9 Mail.",
        yahoo="Verzonden vanuit Yahoo Mail voor iPhone",
        begin="Begin doorgestuurd bericht:",
        forwarded=(
            "Doorgestuurd bericht",
            "Oorspronkelijk bericht",
            "Doorgestuurd bericht",
        ),
        disclaimer="Dit bericht is vertrouwelijk en alleen bestemd voor de "
        "geadresseerde. Als het niet voor u bestemd is, verwijder het dan.",
    ),
    "fr": Language(
        charset="iso-8859-1",
        words="C'était un très beau coup, et j'ai cherché une réponse toute la soirée "
        "avant de trouver celle-ci. Merci pour la partie, à bientôt !",
        wrote=(
            f"Le ven. 20 nov. 2026 à 09:12, {NAMED} a écrit\u00a0:",
            f"Le 20 nov. 2026 à 09:12, {NAMED} a écrit :",
            "Le 20/11/2026 à 09:12, Holomino a écrit\u00a0:",
            f"Le 20 novembre 2026 09:12:33 GMT+01:00, {NAMED} a écrit\u00a0:",
            "Le ven. 20 nov. 2026 à 09:12, Holomino a écrit :",
            f"Le vendredi 20 novembre 2026 à 09:12:33 UTC+1, {NAMED} a écrit :",
        ),
        headers=("De :", "Envoyé :", "À :", "Objet :"),
        prefixes=("RE: ", "TR: "),
        outlook="Télécharger Outlook pour iOS",
        apple="Envoyé de mon iPhone",
        k9="Envoyé de mon appareil Android avec Courriel K-9 Mail.",
        yahoo="Envoyé à partir de Yahoo Mail pour iPhone",
        begin="Début du message transféré\u00a0:",
        forwarded=("Message transféré", "Message d'origine", "Mail transféré"),
        disclaimer="Ce message et ses pièces jointes sont confidentiels et destinés à "
        "leur seul destinataire. Si vous l'avez reçu par erreur, détruisez-le.",
    ),
    "es": Language(
        charset="iso-8859-1",
        words="Fue una jugada muy buena, y busqué una respuesta toda la tarde antes de "
        "encontrar esta. ¡Hasta mañana, y gracias por la partida!",
        wrote=(
            f"El vie, 20 nov 2026 a las 9:12, Holomino (<{SERVER}>) escribió:",
            f"El 20 nov 2026, a las 9:12, {NAMED} escribió:",
            "El 20/11/26 a las 9:12, Holomino escribió:",
            f"El 20 de noviembre de 2026 9:12:33 CET, {NAMED} escribió:",
            "El vie, 20 nov 2026 a las 09:12, Holomino escribió:",
            f"En viernes, 20 de noviembre de 2026, 09:12:33 CET, {NAMED} escribió:",
        ),
        headers=("De:", "Enviado:", "Para:", "Asunto:"),
        prefixes=("RE: ", "RV: "),
        outlook="Obtener Outlook para iOS",
        apple="Enviado desde mi iPhone",
        k9="Enviado desde mi dispositivo Android con K-9 Mail.",
        yahoo="Enviado desde Yahoo Mail para iPhone",
        begin="Inicio del mensaje reenviado:",
        forwarded=("Mensaje reenviado", "Mensaje original", "Mensaje reenviado"),
        disclaimer="Este mensaje es confidencial y va dirigido solo a su destinatario. "
        "Si lo ha recibido por error, le rogamos que lo borre.",
    ),
    "it": Language(
        charset="iso-8859-1",
        words="È stata una mossa molto bella, e ho cercato una risposta per tutta la "
        "sera prima di trovare questa. Così va meglio, credo. Ciao!",
        wrote=(
            f"Il giorno ven 20 nov 2026 alle ore 09:12 {NAMED} ha scritto:",
            f"Il giorno 20 nov 2026, alle ore 09:12, {NAMED} ha scritto:",
            "Il 20/11/2026 09:12, Holomino ha scritto:",
            f"Il 20 novembre 2026 09:12:33 CET, {NAMED} ha scritto:",
            "Il ven 20 nov 2026 alle 09:12, Holomino ha scritto:",
            f"Il venerdì 20 novembre 2026 alle ore 09:12:33 CET, {NAMED} ha scritto:",
        ),
        headers=("Da:", "Inviato:", "A:", "Oggetto:"),
        prefixes=("R: ", "I: "),
        outlook="Scarica Outlook per iOS",
        apple="Inviato da iPhone",
        k9="Inviato dal mio dispositivo Android con K-9 Mail.",
        yahoo="Inviato da Yahoo Mail per iPhone",
        begin="Inizio messaggio inoltrato:",
        forwarded=("Messaggio inoltrato", "Messaggio originale", "Messaggio inoltrato"),
        disclaimer="Questo messaggio è riservato e destinato solo al destinatario. Se "
        "lo avete ricevuto per errore, vi preghiamo di eliminarlo.",
    ),
    "pl": Language(
        charset="iso-8859-2",
        words="To był bardzo dobry ruch i przez cały wieczór szukałem odpowiedzi, "
        "zanim znalazłem tę. Dziękuję za grę i życzę miłego wieczoru!",
        wrote=(
            f"pt., 20 lis 2026 o 09:12 {NAMED} napisał(a):",
            f"Wiadomość napisana przez {NAMED} w dniu 20 lis 2026, o godz. 09:12:",
            "W dniu 20.11.2026 o 09:12, Holomino pisze:",
            f"Dnia 20 listopada 2026 09:12:33 CET, {NAMED} napisał/a:",
            "W dniu pt, 20 lis 2026 o 09:12 Holomino napisał(a):",
            f"W dniu piątek, 20 listopada 2026 09:12:33 CET {NAMED} napisał(a):",
        ),
        headers=("Od:", "Wysłane:", "Do:", "Temat:"),
        prefixes=("ODP: ", "PD: "),
        outlook="Pobierz aplikację Outlook dla systemu iOS",
        apple="Wysłane z iPhone\u2019a",
        k9="Wysłane za pomocą K-9 Mail.",
        yahoo="Wysłane z Yahoo Mail na telefonie iPhone",
        begin="Początek przekazywanej wiadomości:",
        forwarded=(
            "Treść przekazanej wiadomości",
            "Wiadomość oryginalna",
            "Wiadomość przekazana dalej",
        ),
        disclaimer="Ta wiadomość jest poufna i przeznaczona wyłącznie dla adresata. "
        "Jeśli otrzymali ją Państwo przez pomyłkę, prosimy ją usunąć.",
    ),
    "sv": Language(
        charset="iso-8859-1",
        words="Det var ett väldigt bra drag, och jag letade efter ett svar hela "
        "kvällen innan jag hittade det här. Tack för partiet, och hälsningar!",
        wrote=(
            f"Den fre 20 nov. 2026 kl 09:12 skrev {NAMED}:",
            f"20 nov. 2026 kl. 09:12 skrev {NAMED}:",
            "Den 2026-11-20 kl. 09:12, skrev Holomino:",
            f"Den 20 november 2026 09:12:33 CET, skrev {NAMED}:",
            "Den fre 20 nov 2026 kl 09:12 skrev Holomino:",
            f"Den fredag 20 november 2026 09:12:33 CET, {NAMED} skrev:",
        ),
        headers=("Från:", "Skickat:", "Till:", "Ämne:"),
        prefixes=("SV: ", "VB: "),
        outlook="Hämta Outlook för iOS",
        apple="Skickat från min iPhone",
        k9="Skickat från min Android-enhet med K-9 Mail.",
        yahoo="Skickat från Yahoo Mail för iPhone",
        begin="Vidarebefordrat brev:",
        forwarded=(
            "Vidarebefordrat meddelande",
            "Ursprungligt meddelande",
            "Vidarebefordrat meddelande",
        ),
        disclaimer="Detta meddelande är konfidentiellt och endast avsett för "
        "mottagaren. Om du har fått det av misstag, radera det.",
    ),
}
