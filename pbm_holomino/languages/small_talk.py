"""What people write around a move, in their languages.

Only data, a row for each language: `commands.reading` looks words up here. Where a
language is not here, the signs of a move are understood all the same.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

Kind = Literal[
    "at",  # between a tile and the cells where it is put
    "and",  # between two cells
    "nouns",  # what a tile and a cell are called, with an article or a number
    "greetings",
    "endings",  # of a letter
    "around",  # what says nothing beside a move
    "talk",  # right behind a move, they make it one that is talked about
    "correcting",  # in a further line with a move, they may take back the first
]

_ROWS: Final[Mapping[str, Mapping[Kind, str]]] = {
    "en": {
        "at": "at | on | onto | to | in | into",
        "and": "and | + | &",
        "nouns": """the | number | no | tile | stone | piece | position | positions
            | pos | cell | cells | field | fields | place | spot""",
        "greetings": """hi | hello | hey | hello there | hi there | dear | good morning
            | good afternoon | good evening | greetings | howdy""",
        "endings": """thanks | thank you | thanks a lot | many thanks | thx | cheers
            | regards | best | best regards | kind regards | best wishes | yours
            | sincerely | yours sincerely | bye | see you | cu | take care
            | all the best | warm regards | love""",
        "around": """sure | let me | i am going for | i'm going for | i guess
            | here goes nothing | i'd like to | i want to | i'll | i'll go | let's | my
            | my move | my move is | my next move | my next move is | here is my move
            | move | here's my move | this is my move | is my move | the move
            | next move | turn | play | your turn | your move | your go | you're next
            | over to you | let's go with | i'm going with | going with | go with
            | my turn | my pairs | my play | i | i move | i play | i'll play
            | i will play | i put | i place | i'll move | i'll take | i'd like to play
            | i would like to play | i choose | i think | i go | i'll go with
            | i go with | i am playing | i'm playing | put | place | let's do | lets
            | lets do | lets play | lets try | lets go with | i'd go | i'd play
            | i'd go with | let's try | let me play | let me try | let us try
            | let's play | try | try this | please | please play | pls | for me | ok
            | okay | ok then | well | so | now | then | here | here you are | here goes
            | there | alright | all right | yes | me | the board | a | the | of | login
            | log in | user | userid | username | account | pin""",
        "talk": """was | were | is | would | could | might | should | looks | seems | or
            | instead | but | not | isn't | wasn't""",
        "correcting": """meant | mean | correction | instead | rather | oops | wait | no
            | sorry | scratch | actually | not""",
    },
    "de": {
        "at": "auf | an | nach | zu",
        "and": "und",
        "nouns": """der | die | das | den | dem | stein | plättchen | feld | felder
            | platz""",
        "greetings": """hallo | moin | moin moin | servus | grüß gott | grüezi
            | guten morgen | guten tag | guten abend | liebe | lieber | na | tach""",
        "endings": """danke | danke schön | vielen dank | gruß | grüße | viele grüße
            | liebe grüße | schöne grüße | beste grüße | mit freundlichen grüßen
            | herzliche grüße | lg | vg | mfg | tschüss | tschüß | bis bald | bis dann
            | dein | deine""",
        "around": """kw | mein | mein zug | mein zug ist | mein nächster zug
            | hier mein zug | hier ist mein zug | zug | ich | ich spiele | ich lege
            | ich ziehe | ich setze | ich setz | ich leg | ich nehm | ich spiel | setz
            | nehm | spiel | dein zug | du bist dran | du bist am zug
            | du bist wieder dran | ich nehme | ich möchte | ich versuche | nimm
            | spiele | lege | setze | den | bitte | na gut | also | dann | gut | jetzt
            | versuch | mal | benutzer | benutzername | zugang | tja | eben | dann eben
            | hier""",
        "talk": "war | wäre | ist | hätte | oder | nicht | sieht",
        "correcting": """meinte | meine | korrektur | stattdessen | lieber | doch | halt
            | nein | ups | nicht | sondern""",
    },
    "nl": {
        "at": "op | naar",
        "and": "en",
        "nouns": """de | het | steen | tegel | plaats | plek | veld | vak | nummer
            | nr""",
        "greetings": """hoi | hai | dag | beste | lieve | hallo allemaal | goeiemorgen
            | goedemorgen | goedemiddag | goedenavond | goedendag | hé""",
        "endings": """bedankt | dank je | dank u | dankjewel | groet | groeten
            | groetjes | mvg | vriendelijke groet | met vriendelijke groet
            | met vriendelijke groeten | tot ziens | dank je wel | vriendelijke groeten
            | hartelijke groet | hartelijke groeten | liefs | veel groeten
            | veel groetjes | tot gauw | tot snel | doei | gr""",
        "around": """ww | hierbij | hier | mijn | mijn zet | mijn zet is
            | hier is mijn zet | hierbij mijn zet | zet | ik | mijn volgende zet
            | mijn volgende zet is | hier komt mijn zet | jij bent | jij bent aan zet
            | jij bent weer aan zet | jouw beurt | jouw zet | ik speel | ik leg | ik zet
            | ik neem | ik doe | ik kies | ik probeer | ik ga voor | dan speel ik
            | speel ik | dan leg ik | speel | leg | doe | maar | eens | de | het | oké
            | goed | nu | graag | alsjeblieft | alstublieft | dan | nou | gebruiker
            | gebruikersnaam""",
        "talk": "was | is | zou | of | niet | lijkt",
        "correcting": """bedoelde | bedoel | correctie | liever | toch | nee | oeps
            | niet""",
    },
    "fr": {
        "at": "sur | à | en | vers",
        "and": "et",
        "nouns": "le | la | les | l' | numéro | tuile | pièce | case | cases",
        "greetings": "bonjour | bonsoir | salut | coucou | cher | chère",
        "endings": """merci | merci beaucoup | cordialement | bien à toi | amicalement
            | bises | à bientôt | bonne journée""",
        "around": """mdp | mot de passe | mon mot de passe | voilà | à moi | mon coup
            | mon coup est | voici mon coup | coup | je | je joue | je place | je pose
            | je mets | je prends | s'il te plaît | s'il vous plaît | stp | svp | alors
            | voici""",
        "talk": "était | serait | est | ou",
        "correcting": "voulais | plutôt | non | pardon",
    },
    "es": {
        "at": "a | en",
        "and": "y | e",
        "nouns": "el | los | las | número | ficha | casilla | posición",
        "greetings": """hola | buenos días | buenas tardes | buenas noches | buenas
            | querido | querida""",
        "endings": """gracias | muchas gracias | saludos | un saludo | un abrazo
            | abrazos | adiós""",
        "around": """ahí va | vou de | mi turno | mi jugada | mi jugada es
            | mi movimiento | mi movimiento es | juego | pongo | coloco | yo juego
            | por favor | entonces | aquí va""",
        "talk": "era | sería | es | o",
        "correcting": "quería | quise | mejor | perdón",
    },
    "it": {
        "at": "su | a | in",
        "and": "e",
        "nouns": "il | lo | la | tessera | casella | posizione",
        "greetings": "ciao | buongiorno | buonasera | salve | caro | cara",
        "endings": """grazie | grazie mille | saluti | cordiali saluti | un saluto
            | a presto""",
        "around": """il mio turno | la mia mossa | la mia mossa è | mossa | gioco
            | metto | per favore | ecco | allora""",
        "talk": "sarebbe | è | oppure",
        "correcting": "volevo | meglio | scusa",
    },
    "pt": {
        "at": "em | para | na",
        "and": "e",
        "nouns": "o | os | peça | casa | posição | pedra",
        "greetings": "olá | oi | bom dia | boa tarde | boa noite | caro",
        "endings": "obrigado | obrigada | abraço | abraços | cumprimentos | até logo",
        "around": """meu turno | minha vez | meu lance | minha jogada | meu lance é
            | minha jogada é | jogo | jogada""",
        "talk": "seria | ou",
        "correcting": "queria | melhor | desculpe",
    },
    "pl": {
        "at": "w | do | na",
        "and": "i",
        "nouns": "numer | kostka | pole | płytka | płytkę | polu",
        "greetings": "cześć | dzień dobry | witam | witaj",
        "endings": "dzięki | dziękuję | pozdrawiam | pozdrowienia",
        "around": """to ja dam | stawiam | dokładam | mój ruch | mój ruch to | ruch
            | gram | kładę | proszę | oto mój ruch""",
        "talk": "był | byłby | jest | lub",
        "correcting": "nie | przepraszam",
    },
    "cs": {
        "at": "na",
        "nouns": "kámen | políčko",
        "greetings": "ahoj | dobrý den | čau",
        "endings": "děkuji | díky | zdravím | s pozdravem",
        "around": "dávám | pokládám | můj tah | tah | hraju | prosím",
    },
    "sv": {
        "at": "på | till",
        "and": "och",
        "nouns": "bricka | ruta",
        "greetings": "hej | heja | god morgon | god kväll | god dag | tjena",
        "endings": "tack | tack så mycket | mvh | hälsningar | med vänliga hälsningar",
        "around": """då | så | då kör jag | mitt drag | mitt drag är | drag | jag
            | jag spelar | jag lägger | snälla""",
        "talk": "var | är | eller",
        "correcting": "menade | nej",
    },
    "nb": {
        "at": "på | til",
        "and": "og",
        "nouns": "brikke | felt",
        "greetings": "hei | god morgen | god dag",
        "endings": "takk | hilsen | med vennlig hilsen | vh",
        "around": """mitt trekk | mitt trekk er | trekk | jeg | jeg spiller | jeg legger
            | vær så snill""",
        "talk": "var | er | ville | eller",
        "correcting": "mente",
    },
    "da": {
        "at": "på | til",
        "and": "og",
        "nouns": "brikke | felt",
        "greetings": "hej | godmorgen | god dag",
        "endings": "tak | hilsen | med venlig hilsen | vh",
        "around": """mit træk | mit træk er | træk | jeg | jeg spiller
            | jeg lægger""",
        "talk": "var | er | ville | eller",
        "correcting": "mente | nej",
    },
    "fi": {
        "at": "ki",
        "and": "ja",
        "nouns": "laatta | laatan | paikka | paikkaan | ruutuun",
        "greetings": "moi | terve | huomenta",
        "endings": "kiitos | terveisin | terveiset | t | ystävällisin terveisin",
        "around": "siirtoni | siirtoni on | siirto | pelaan | laitan",
    },
    "hu": {
        "and": "és",
        "greetings": "szia | sziasztok | üdv",
        "endings": "köszönöm | köszi | üdvözlettel",
        "around": "lépésem | a lépésem | lépés | kérem",
    },
    "ru": {
        "at": "на | в",
        "and": "и",
        "nouns": "плитка | плитку | поле",
        "greetings": """привет | здравствуйте | здравствуй | добрый день
            | доброе утро | добрый вечер""",
        "endings": "спасибо | с уважением | пока | всего доброго",
        "around": """пусть будет | мой ход | ход | я хожу | хожу | играю | ставлю
            | пожалуйста""",
        "talk": "было | бы | или",
        "correcting": "нет | точнее",
    },
    "tr": {
        "and": "ve",
        "greetings": "merhaba | selam",
        "endings": "teşekkürler | saygılar",
        "around": "hamlem | hamle",
    },
    "ro": {
        "greetings": "bună | salut",
        "endings": "mulțumesc",
        "around": "mutarea mea",
    },
    "el": {
        "greetings": "γεια | γεια σου",
        "endings": "ευχαριστώ",
        "around": "η κίνησή μου",
    },
    "ja": {
        "greetings": "こんにちは | こんばんは | おはよう",
        "endings": "ありがとう | ありがとうございます",
    },
    "zh": {"greetings": "你好 | 您好", "endings": "谢谢"},
    "ko": {"greetings": "안녕하세요", "endings": "감사합니다"},
}
# What people write for a command, where no table of aliases has it
_ASKING: Final[Mapping[str, str]] = {
    "resign": """give up | i give up | i resign | surrender | i surrender | j'abandonne
        | me rindo | mi arrendo | desisto | jag ger upp | jeg giver op | jeg gir opp
        | luovutan | poddaję się | сдаюсь | vzdávám se | feladom""",
    "propose": "draw | tie",
    "undo": "takeback | take back | take it back | take that back | take this back",
    "show": "board | show me | show board | show me the board",
}


def phrases(*kinds: Kind) -> frozenset[tuple[str, ...]]:
    """The phrases of these kinds in all languages, each as its words."""
    rows = (row.get(kind, "") for row in _ROWS.values() for kind in kinds)
    return frozenset(tuple(each.split()) for row in rows for each in _in_row(row))


def words(kind: Kind) -> frozenset[str]:
    """The words of one kind in all languages."""
    return frozenset(word for (word,) in phrases(kind))


def _in_row(row: str) -> Iterator[str]:
    parts = (" ".join(part.split()) for part in row.casefold().split("|"))
    yield from filter(None, parts)


AT, AND, NOUNS = words("at"), words("and"), words("nouns")
TALK, CORRECTING = words("talk"), words("correcting")
GREETINGS, ENDINGS = phrases("greetings"), phrases("endings")
HAILS = GREETINGS | ENDINGS
ALL = HAILS | phrases("around")
LONGEST = max(map(len, ALL))  # words of a phrase
ASKING = {each: command for command, row in _ASKING.items() for each in _in_row(row)}
