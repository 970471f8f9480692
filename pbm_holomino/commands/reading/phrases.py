"""Words that say nothing about a move, as people write them beside one, by language.

Where a language is not here, the signs of a move are understood all the same.
"""

# Between a tile and the cells where it is put
_AT = """
    at on onto to in into  auf an nach zu  op naar  sur à en vers  a  su  w do  på till
    til  em para  na  ki  на в
"""
# Between two cells
_AND = "and  und  en  et  y e  i  och og  ja  ve  и  és  +  &"
# What a tile and a cell are called, with an article or a number
_NOUNS = """
    the der die das den dem  de het  le la les l'  el los las  il lo  o os  no number
    numéro número numer
    tile stone piece position positions pos cell cells field fields place spot
    stein plättchen feld felder platz  steen tegel plaats plek veld vak nummer nr
    tuile pièce case cases
    ficha casilla  tessera casella  kostka pole  bricka ruta  brikke felt  peça casa
    laatta laatan paikka paikkaan ruutuun  плитка плитку поле  kámen kámen políčko
    posizione posición posição position  peça pedra  płytka płytkę polu
"""
_GREETINGS = """
    hi | hello | hey | hello there | hi there | dear | good morning | good afternoon
    good evening | greetings | howdy
    hallo | moin | moin moin | servus | grüß gott | grüezi | guten morgen | guten tag
    guten abend | liebe | lieber | na | tach
    hoi | hai | dag | beste | lieve | hallo allemaal | goeiemorgen | goedemorgen
    goedemiddag | goedenavond | goedendag | hé
    bonjour | bonsoir | salut | coucou | cher | chère
    hola | buenos días | buenas tardes | buenas noches | buenas | querido | querida
    ciao | buongiorno | buonasera | salve | caro | cara
    cześć | hej | dzień dobry | witam | witaj | heja | god morgon | god kväll
    god dag | godmorgen | god morgen | tjena | hei | moi | terve | huomenta
    olá | oi | bom dia | boa tarde | boa noite | caro
    привет | здравствуйте | здравствуй | добрый день | доброе утро | добрый вечер
    ahoj | dobrý den | čau | szia | sziasztok | üdv | merhaba | selam | bună | salut
    γεια | γεια σου | こんにちは | こんばんは | おはよう | 你好 | 您好 | 안녕하세요
"""
_ENDINGS = """
    thanks | thank you | thanks a lot | many thanks | thx | cheers | regards | best
    best regards | kind regards | best wishes | yours | sincerely | yours sincerely
    bye | see you | cu | take care | all the best | warm regards | love
    danke | danke schön | vielen dank | gruß | grüße | viele grüße | liebe grüße
    schöne grüße | beste grüße | mit freundlichen grüßen | herzliche grüße | lg | vg
    mfg | tschüss | tschüß | bis bald | bis dann | dein | deine
    bedankt | dank je | dank u | dankjewel | groet | groeten | groetjes | mvg
    vriendelijke groet | met vriendelijke groet | met vriendelijke groeten | tot ziens
    dank je wel | vriendelijke groeten | hartelijke groet | hartelijke groeten | liefs
    veel groeten | veel groetjes | tot gauw | tot snel | doei | gr
    merci | merci beaucoup | cordialement | bien à toi | amicalement | bises
    à bientôt | bonne journée
    gracias | muchas gracias | saludos | un saludo | un abrazo | abrazos | adiós
    grazie | grazie mille | saluti | cordiali saluti | un saluto | a presto
    dzięki | dziękuję | pozdrawiam | pozdrowienia
    tack | tack så mycket | mvh | hälsningar | med vänliga hälsningar | hilsen | tak
    takk | med venlig hilsen | med vennlig hilsen | vh
    kiitos | terveisin | terveiset | t | ystävällisin terveisin
    obrigado | obrigada | abraço | abraços | cumprimentos | até logo
    спасибо | с уважением | пока | всего доброго
    děkuji | díky | zdravím | s pozdravem | köszönöm | köszi | üdvözlettel | teşekkürler
    saygılar | mulțumesc | ευχαριστώ | ありがとう | ありがとうございます
    谢谢 | 감사합니다
"""
_AROUND = """
    sure | let me | i am going for | i'm going for | i guess | here goes nothing
    i'd like to | i want to | i'll | i'll go | let's | my
    my move | my move is | my next move | my next move is | here is my move | move
    here's my move | this is my move | is my move | the move | next move | turn | play
    your turn | your move | your go | you're next | over to you
    let's go with | i'm going with | going with | go with
    my turn | my pairs | my play | i | i move | i play | i'll play | i will play | i put
    i place | i'll move | i'll take | i'd like to play | i would like to play | i choose
    i think | i go | i'll go with | i go with | i am playing | i'm playing | put | place
    let's do | lets | lets do | lets play | lets try | lets go with | i'd go | i'd play
    i'd go with | let's try | let me play | let me try | let us try | let's play | try
    try this
    please | please play | pls | for me | ok | okay | ok then | well | so | now | then
    here | here you are | here goes | there | alright | all right | yes | me | the board
    a | the | of
    login | log in | user | userid | username | account | pin | kw | ww | mdp
    mein | mein zug | mein zug ist | mein nächster zug | hier mein zug
    hier ist mein zug | zug | ich | ich spiele | ich lege | ich ziehe | ich setze
    ich setz | ich leg | ich nehm | ich spiel | setz | nehm | spiel | dein zug
    du bist dran | du bist am zug | du bist wieder dran
    ich nehme | ich möchte | ich versuche | nimm | spiele | lege | setze | den | bitte
    na gut | also | dann | gut | jetzt | versuch | mal | benutzer
    benutzername | zugang
    tja | eben | dann eben | hierbij | hier
    mijn | mijn zet | mijn zet is | hier is mijn zet | hierbij mijn zet | zet | ik
    mijn volgende zet | mijn volgende zet is | hier komt mijn zet
    jij bent | jij bent aan zet | jij bent weer aan zet | jouw beurt | jouw zet
    ik speel | ik leg | ik zet | ik neem | ik doe | ik kies | ik probeer | ik ga voor
    dan speel ik | speel ik | dan leg ik | speel | leg | doe | maar | eens | de | het
    oké | goed | nu | graag | alsjeblieft | alstublieft | dan | nou
    gebruiker | gebruikersnaam
    mot de passe | mon mot de passe
    voilà | à moi | mon coup | mon coup est | voici mon coup | coup | je | je joue
    je place | je pose
    je mets | je prends | s'il te plaît | s'il vous plaît | stp | svp | alors | voici
    ahí va | vou de | mi turno | meu turno | minha vez | il mio turno | mi jugada
    mi jugada es | mi movimiento | mi movimiento es | juego | pongo | coloco
    yo juego | por favor | entonces | aquí va
    la mia mossa | la mia mossa è | mossa | gioco | metto | per favore | ecco | allora
    to ja dam | stawiam | dokładam | mój ruch | mój ruch to | ruch | gram | kładę
    proszę | oto mój ruch
    då | så | då kör jag | mitt drag | mitt drag är | drag | jag | jag spelar
    jag lägger | snälla
    mit træk | mit træk er | træk | jeg | jeg spiller | jeg lægger | mitt trekk
    mitt trekk er | trekk | jeg legger | vær så snill
    siirtoni | siirtoni on | siirto | pelaan | laitan
    meu lance | minha jogada | meu lance é | minha jogada é | jogo | jogada
    пусть будет | мой ход | ход | я хожу | хожу | играю | ставлю | пожалуйста
    dávám | pokládám | můj tah | tah | hraju | prosím | lépésem | a lépésem | lépés
    kérem
    hamlem | hamle | mutarea mea | η κίνησή μου
"""
# What people write for a command, where no table of a language has it
_ASKING = """
    resign: give up | i give up | i resign | surrender | i surrender
    resign: j'abandonne | me rindo | mi arrendo
    resign: desisto | jag ger upp | jeg giver op | jeg gir opp | luovutan | poddaję się
    resign: сдаюсь | vzdávám se | feladom
    propose: draw | tie
    undo: takeback | take back | take it back | take that back | take this back
    show: board | show me | show board | show me the board
"""
# Right behind a move, they make it one that is talked about
_TALK = """
    was were is would could might should looks seems or instead but not isn't wasn't
    war wäre ist hätte oder nicht sieht  was is zou of niet lijkt  était serait est ou
    era sería es o sería  sarebbe è oppure  był byłby jest lub  var är eller  er
    ville eller  seria ou  было бы или
"""
# In a further line with a move, they may take back the first
_CORRECTING = """
    meant mean correction instead rather oops wait no sorry scratch actually not
    meinte meine korrektur stattdessen lieber doch halt nein ups nicht sondern
    bedoelde bedoel correctie liever toch nee oeps niet  voulais plutôt non pardon
    quería quise mejor perdón  volevo meglio scusa  nie przepraszam  menade nej
    mente  queria melhor desculpe  нет точнее
"""

AT, AND, NOUNS, TALK, CORRECTING = (
    frozenset(words.casefold().split())
    for words in (_AT, _AND, _NOUNS, _TALK, _CORRECTING)
)


ASKING = {
    phrase.strip(): command
    for line in _ASKING.casefold().strip().splitlines()
    for command, _, phrases in [line.strip().partition(": ")]
    for phrase in phrases.split("|")
}


def _phrases(*texts: str) -> frozenset[tuple[str, ...]]:
    """The phrases in these texts, each as its words."""
    parts = "|".join(texts).casefold().replace("\n", "|").split("|")
    return frozenset(tuple(part.split()) for part in parts if part.strip())


GREETINGS, ENDINGS = _phrases(_GREETINGS), _phrases(_ENDINGS)
HAILS = GREETINGS | ENDINGS
ALL = HAILS | _phrases(_AROUND)
LONGEST = max(map(len, ALL))  # words of a phrase
