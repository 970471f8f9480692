"""What mail programs and mail systems write, in the languages of their users.

Only data, a row for each language: whatever reads mails looks words up here, where no
shape tells what they are. All are `folded`; a `_` at the end is a blank.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

Kind = Literal[
    "wrote",  # words of an attribution: On Friday, Bob <bob@example.org> wrote:
    "dates",  # how the date of an attribution begins
    "from",  # labels in a block of headers, for the sender
    "labels",  # and for all else
    "separators",  # what follows the dashes above a quoted or forwarded letter
    "beginnings",  # the same in Apple Mail, as a line that ends in a colon
    "sent from",  # how a line begins that a telephone adds; after `...`, what it has
    "confidential",  # a paragraph with a word of this kind, and one of the next one,
    "recipient",  # is a disclaimer
    "absent",  # how the Subject of an out-of-office reply begins
    "failed",  # and that of a report that a mail was not delivered, or how it ends
    "undelivered",  # what the text of such a report says
    "complained",  # what the text of a complaint about spam says
    "reacted",  # what the text of a reaction says
]

_ROWS: Final[Mapping[str, Mapping[Kind, str]]] = {
    "en": {
        "wrote": "wrote | writes",
        "dates": "on_",
        "from": "from",
        "labels": "sent | date | to | cc | bcc | subject | reply-to",
        "separators": "original | forwarded | reply message",
        "beginnings": "begin forwarded message",
        "sent from": """sent from_ | sent via_ | sent with_ | sent using_
            | get outlook for_ | get bluemail for_ | virus-free.""",
        "confidential": "confidential | privileged",
        "recipient": "intended | recipient | addressee",
        "absent": """automatic reply | auto reply | auto-reply | autoreply
            | auto response | autoresponse | automated reply | out of office
            | out-of-office | out of the office | away from office | vacation reply
            | vacation response""",
        "failed": """undeliver | returned mail | mail delivery fail
            | mail delivery problem | delivery fail | failure notice
            | delivery status notification | delivery notification | mail failure
            | mail system error | message not delivered | mail could not be delivered
            | message could not be delivered | non-deliver | notice: mail delivery
            | mail returned | returned to sender | [bounce] | delivery error
            | warning: message | warning: could not send | delayed mail
            | delivery delayed""",
        "undelivered": """could not be delivered | cannot be delivered
            | couldn't be delivered | was not delivered | wasn't able to deliver
            | unable to deliver | unable to be delivered | error delivering your mail
            | was undeliverable | delivery errors | undeliverable mail
            | delivery to the following | did not reach the following
            | permanent fatal errors | delivery problems | delivery error
            | addresses failed | address failed | permanent error
            | mail delivery software | permission to post messages | unknown user
            | user unknown | over quota | delivery to ' | failed addresses
            | while talking to""",
        "complained": "abuse report | spam report | reported as spam",
        "reacted": "reacted to your message | reacted via gmail",
    },
    "de": {
        "wrote": "schrieb | geschrieben",
        "dates": "am_",
        "from": "von | absender",
        "labels": "gesendet | datum | an | kopie | betreff",
        "separators": "ursprüngliche | originalnachricht | weitergeleitet",
        "beginnings": "anfang der weitergeleiteten",
        "sent from": """gesendet von_ | gesendet mit_ | diese nachricht wurde von mein
            | von mein... gesendet | von samsung... gesendet
            | holen sie sich outlook | outlook für ios | outlook für android
            | virenfrei.""",
        "confidential": "vertraulich",
        "recipient": "empfänger | adressat",
        "absent": "automatische antwort | abwesenheit | abwesend | auto-antwort",
        "failed": """unzustellbar | nachricht unzustellbar | nachricht konnte nicht
            | zustellung fehlgeschlagen | fehler bei der zustellung | mailzustellung""",
        "undelivered": """fehler bei der nachrichtenzustellung | nicht zugestellt werden
            | unzustellbar""",
        "reacted": """hat auf ihre nachricht reagiert | hat auf deine nachricht reagiert
            | hat über gmail reagiert""",
    },
    "nl": {
        "wrote": "schreef | geschreven",
        "dates": "op_",
        "from": "van | afzender",
        "labels": "verzonden | verstuurd | aan | onderwerp",
        "separators": """oorspronkelijk | origineel bericht | originele bericht
            | doorgestuurd""",
        "beginnings": "begin doorgestuurd bericht",
        "sent from": """verzonden vanaf_ | verzonden vanuit_ | verzonden met_
            | verzonden via_ | verstuurd vanaf_ | verstuurd vanuit_ | verstuurd met_
            | verstuurd via_ | download outlook | haal outlook | verkrijg outlook
            | outlook voor ios | outlook voor android | virusvrij.""",
        "confidential": "vertrouwelijk",
        "recipient": "geadresseerde | ontvanger | bestemd",
        "absent": "automatisch antwoord | afwezig | niet aanwezig",
        "failed": "onbestelbaar | niet bezorgd | bezorging mislukt",
        "undelivered": "bezorging mislukt | niet worden bezorgd",
        "reacted": """heeft gereageerd op uw bericht | heeft op je bericht gereageerd
            | heeft gereageerd via gmail""",
    },
    "fr": {
        "wrote": "écrit",
        "dates": "le_",
        "from": "de | expéditeur",
        "labels": "envoyé | envoyé le | à | pour | objet",
        "separators": """message d'origine | message transféré | message original
            | mail transféré""",
        "beginnings": "début du message",
        "sent from": """envoyé de_ | envoyé depuis_ | envoyé à partir d | envoyé avec_
            | obtenir outlook | obtenez outlook | télécharger outlook""",
        "confidential": "confidentiel",
        "recipient": "destinataire",
        "absent": """réponse automatique | reponse automatique | absence du bureau
            | message d'absence | absent du bureau | absence : | absence:""",
        "failed": "non remis | échec de la remise | échec de remise | non distribu",
        "undelivered": "échec de la remise | n'a pas pu être remis | n'a pas été remis",
        "reacted": """a réagi à votre message | a réagi à ton message
            | a réagi via gmail""",
    },
    "es": {
        "wrote": "escribió",
        "dates": "el_ | en_",
        "from": "de | remitente",
        "labels": "enviado | enviado el | enviada el | fecha | para | asunto",
        "separators": "mensaje original | mensaje reenviado",
        "beginnings": "inicio del mensaje",
        "sent from": """enviado desde_ | enviado con_ | obtener outlook
            | descargar outlook""",
        "confidential": "confidencial",
        "recipient": "destinatari",
        "absent": """respuesta automática | respuesta automatica | fuera de la oficina
            | fuera de oficina | ausencia""",
        "failed": "no se puede entregar | no entregado | no se pudo entregar",
        "undelivered": """no se pudo entregar | no se ha podido entregar
            | error de entrega""",
        "reacted": """ha reaccionado a tu mensaje | reaccionó a tu mensaje
            | ha reaccionado a su mensaje | reaccionó a través de gmail""",
    },
    "it": {
        "wrote": "scritto",
        "dates": "il_",
        "from": "da | mittente",
        "labels": "inviato | data | a | ccn | oggetto",
        "separators": "messaggio originale | messaggio inoltrato",
        "beginnings": "inizio messaggio",
        "sent from": """inviato da_ | inviato dal_ | inviato con_ | ottieni outlook
            | scarica outlook""",
        "confidential": "riservat | confidenzial",
        "recipient": "destinatari",
        "absent": "risposta automatica | fuori sede | fuori ufficio | assenza",
        "failed": "non recapitabile | mancato recapito | impossibile recapitare",
        "undelivered": "recapito non riuscito | impossibile recapitare",
        "reacted": """ha reagito al tuo messaggio | ha reagito al messaggio
            | ha reagito tramite gmail""",
    },
    "pt": {
        "wrote": "escreveu",
        "dates": "em_ | no dia_",
        "from": "de | remetente",
        "labels": "enviado | enviada em | data | para | assunto",
        "separators": "mensagem original | mensagem encaminhada",
        "beginnings": "início da mensagem",
        "sent from": """enviado do meu_ | enviado a partir d | enviado de meu_
            | obter o out | baixe o outlook | obter outlook | enviado pelo_""",
        "confidential": "confidencia",
        "recipient": "destinatári",
        "absent": "resposta automática | resposta automatica | ausência",
        "failed": "não é possível entregar | não entregue | falha na entrega",
        "undelivered": "falha na entrega | não pôde ser entregue",
        "reacted": "reagiu à sua mensagem | reagiu via gmail",
    },
    "pl": {
        "wrote": "pisze | napisał | napisała | napisał(a) | napisał/a | napisana",
        "dates": "w dniu_ | dnia_ | pon. | wt. | śr. | czw. | pt. | sob. | niedz.",
        "from": "od | nadawca",
        "labels": "wysłano | wysłane | do | dw | temat",
        "separators": """wiadomość oryginalna | oryginalna wiadomość
            | wiadomość przekazana | przekazana wiadomość | przekazywana wiadomość
            | przesłana wiadomość | treść oryginalnej | treść przekazanej""",
        "beginnings": "początek przekazywanej",
        "sent from": """wysłane z | wysłano z | wysłana z | pobierz outlook
            | uzyskaj outlook | pobierz aplikację outlook
            | uzyskaj aplikację outlook""",
        "confidential": "poufn",
        "recipient": "adresat | odbiorc",
        "absent": """odpowiedź automatyczna | automatyczna odpowiedź | autoodpowiedź
            | poza biurem | nieobecność""",
        "failed": "niedostarczalne | nie można dostarczyć",
        "undelivered": "nie można dostarczyć | nie została dostarczona",
        "reacted": "zareagował na twoją wiadomość | zareagowała na twoją wiadomość",
    },
    "cs": {
        "wrote": "napsal | napsala | napsal(a) | píše",
        "dates": "dne_",
        "from": "od | odesílatel",
        "labels": "odesláno | datum | komu | kopie | předmět",
        "separators": "původní | přeposlaná | předaná",
        "sent from": "odesláno z | odesláno pomocí",
        "absent": "automatická odpověď | mimo kancelář",
        "failed": "nelze doručit | nedoručiteln",
        "undelivered": "nelze doručit | nepodařilo doručit",
        "reacted": "reaguje na vaši zprávu",
    },
    "sv": {
        "wrote": "skrev",
        "dates": "den_",
        "from": "från | avsändare",
        "labels": "skickat | datum | till | kopia | ämne",
        "separators": "ursprungligt | vidarebefordra",
        "beginnings": "vidarebefordrat brev",
        "sent from": """skickat från_ | skickades från_ | skickat med_ | hämta outlook
            | skaffa outlook""",
        "confidential": "konfidentiell",
        "recipient": "mottagare | avsedd",
        "absent": "autosvar | automatiskt svar | frånvaro | ej på kontoret",
        "failed": "kan inte levereras | ej levererat",
        "undelivered": "gick inte att leverera | kunde inte levereras",
        "reacted": "reagerade på ditt meddelande",
    },
    "nb": {
        "wrote": "skrev",
        "dates": "man. | tir. | ons. | tor. | fre. | lør. | søn.",
        "from": "fra | avsender",
        "labels": "sendt | dato | til | kopi | emne",
        "separators": "opprinnelig | videresendt",
        "beginnings": "start på videresendt",
        "sent from": "sendt fra_ | sendt med_ | skaff deg outlook | last ned outl",
        "absent": "automatisk svar | fravær | autosvar",
        "failed": "kan ikke leveres",
        "undelivered": "kunne ikke leveres",
        "reacted": "reagerte på meldingen din",
    },
    "da": {
        "wrote": "skrev",
        "dates": "den_",
        "from": "fra | afsender",
        "labels": "sendt | dato | til | emne",
        "separators": "oprindelig | videresendt",
        "beginnings": "start på videresendt | videresendt besked",
        "sent from": "sendt fra_ | sendt via_ | hent outlook | få outlook",
        "absent": "automatisk svar | autosvar | fraværende | ikke til stede",
        "failed": "kan ikke leveres",
        "undelivered": "kunne ikke leveres",
        "reacted": "reagerede på din besked | reagerede på din meddelelse",
    },
    "fi": {
        "wrote": "kirjoitti",
        "dates": "ma_ | ti_ | ke_ | to_ | pe_ | la_ | su_",
        "from": "lähettäjä",
        "labels": "lähetetty | päivämäärä | vastaanottaja | kopio | aihe",
        "separators": "alkuperäinen | välitetty | edelleenlähetetty",
        "beginnings": "välitetty viesti alkaa",
        "sent from": "lähetetty_ | hanki outlook",
        "absent": "automaattinen vastaus | poissaolo | poissa",
        "failed": "ei voida toimittaa | toimitus epäonnistui",
        "undelivered": "toimitus epäonnistui | ei voitu toimittaa",
        "reacted": "reagoi viestiisi",
    },
    "ru": {
        "wrote": "пишет | написал | написала | написал(а) | писал | писал(а)",
        "dates": "пн, | вт, | ср, | чт, | пт, | сб, | вс,",
        "from": "от | отправитель | от кого",
        "labels": "отправлено | дата | кому | копия | тема | отправлен | дата отправки",
        "separators": "исходное | пересылаемое | перенаправленное | пересланное",
        "beginnings": "начало переадресованного | начало пересылаемого",
        "sent from": "отправлено с | отправлено из | отправлено через | скачать o",
        "absent": "автоматический ответ | автоответ | вне офиса | нет на месте",
        "failed": "недоставленное | не доставлено | не удалось доставить",
        "undelivered": """не было доставлено | не удалось доставить
            | не может быть доставлено""",
        "reacted": """отреагировал(-а) на ваше сообщение
            | отреагировал на ваше сообщение""",
    },
    "uk": {
        "wrote": "пише | написав | написала | написав(ла) | пишуть",
        "dates": "пн, | вт, | ср, | чт, | пт, | сб, | нд,",
        "from": "від | відправник",
        "labels": "надіслано | дата | кому | копія | тема",
        "separators": "оригінальне | пересилане | переслане",
        "sent from": "надіслано з | відправлено з",
        "absent": "автоматична відповідь | автовідповідь",
        "failed": "не вдалося доставити | недоставлене",
        "undelivered": "не вдалося доставити",
    },
    "tr": {
        "wrote": "yazdı",
        "from": "kimden | gönderen",
        "labels": "gönderildi | tarih | kime | bilgi | konu",
        "separators": "orijinal | özgün | i̇letilen | iletilen | yönlendirilen",
        "sent from": "iphone'umdan | ipad'imden | android' | outlook'u edinin",
        "absent": "otomatik yanıt | ofis dışında",
        "failed": "teslim edilemedi | teslim edilemeyen",
        "undelivered": "teslim edilemedi",
        "reacted": "i̇letinize tepki verdi | mesajınıza tepki verdi",
    },
    "el": {
        "wrote": "έγραψε",
        "dates": "στις_",
        "from": "από | αποστολέας",
        "labels": "στάλθηκε | ημερομηνία | προς | κοιν. | θέμα",
        "separators": "αρχικό | προωθημένο",
        "sent from": "στάλθηκε από | εστάλη από",
        "absent": "αυτόματη απάντηση | εκτός γραφείου",
        "failed": "δεν παραδόθηκε",
        "undelivered": "δεν ήταν δυνατή η παράδοση",
    },
    "ja": {
        "wrote": "書きました",
        "from": "差出人 | 送信者",
        "labels": "送信日時 | 日付 | 日時 | 宛先 | 件名 | cc",
        "separators": "元の | 転送 | オリジナル",
        "sent from": "iphoneから送信 | ipadから送信 | androidから送信",
        "absent": "自動応答 | 自動返信 | 不在",
        "failed": "配信不能 | 配信されませんでした",
        "undelivered": "配信できませんでした | 配信されませんでした",
        "reacted": "さんがリアクションしました",
    },
    "zh": {
        "wrote": "写道 | 寫道",
        "from": "发件人 | 寄件者 | 寄件人",
        "labels": """发送时间 | 发送日期 | 日期 | 收件人 | 收件者 | 抄送 | 主题
            | 主旨 | 寄件日期""",
        "separators": "原始 | 转发 | 轉寄 | 回复的",
        "sent from": "发自我的 | 發自我的 | 从我的 | 從我的 | 获取 outlook",
        "absent": "自动答复 | 自動回覆 | 自动回复 | 自動回復",
        "failed": "退信 | 无法投递 | 無法傳遞 | 未传递",
        "undelivered": "被退回 | 无法送达 | 无法投递 | 無法傳遞",
    },
    "ko": {
        "wrote": "작성 | 글",
        "from": "보낸 사람 | 보낸사람",
        "labels": "보낸 날짜 | 보낸날짜 | 날짜 | 받는 사람 | 받는사람 | 참조 | 제목",
        "separators": "원본 | 전달",
        "sent from": "나의 iphone에서 | 내 iphone에서 | 내 android | 내 ipad",
        "absent": "자동 회신 | 부재 중",
        "failed": "배달되지 않음 | 반송",
        "undelivered": "배달하지 못 | 전송되지 않",
    },
}


def folded(text: str) -> str:
    """A text in lower case, with straight apostrophes."""
    return text.replace("\u2019", "'").casefold()


def words(kind: Kind) -> Iterator[str]:
    """The words of one kind in all languages."""
    rows = filter(None, (row.get(kind) for row in _ROWS.values()))
    for phrase in " | ".join(rows).split("|"):
        yield " ".join(phrase.split()).replace("_", " ")
