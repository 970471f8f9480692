"""What players do who read a language: scenes that bring a letter of each kind.

A scene has a server of its own with four friends, and its lines are what they do:

    alice: holo challenge alice bob     a mail with this Subject; {alice}, {bob} and so
                                        on are passwords, {who} is the player whose turn
                                        it is on the board {board}, with {password}, and
                                        {move} the first that is legal there
    alice: multiple | help              the text of the mail is after the bar
    alice> chat Hello!                  alice replies so to her last letter
    +21                                 so many days pass
    pbm tick                            the owner's
    robots                              robots move
    holo 1                              from now on {move} and {who} are of this board
    play 4                              so many moves are made, or until the end; only
                                        the letters of the last are told
    quietly ...                         any of these, whose letters are not told
"""

from collections.abc import Mapping

_GAMES = ("hextad", "hextol", "hextup", "holo", "walomino")
_SMALL = {
    "hextad": "",
    "hextol": "-min_pips=8 -max_pips=9 -pool_size=1",
    "hextup": "",
    "holo": "-num_digits=4",
    "walomino": "-rounds=1",
}


def _game(game: str) -> str:
    """A game between two from its beginning to its end."""
    return f"""\
alice: {game} challenge alice bob {_SMALL[game]}
{game} 1
quietly bob: {game} accept 1 bob {{bob}}
play 1
play 3
play 999
alice: {game} history 1
alice: {game} verify 1
"""


def _in_words(game: str) -> str:
    """The same by readers of letters in words."""
    return f"""\
quietly alice: change format alice {{alice}} words
quietly bob: change format bob {{bob}} words
alice: {game} challenge alice bob {_SMALL[game]}
{game} 1
play 1
play {4 if game != "walomino" else 60}
{"play 999" if game == "holo" else ""}
"""


SCENES: Mapping[str, str] = {
    "signing-up": """\
eve: Hello
eve: signup
eve: signup eve secret12
eve: signup alice secret12
eve: signup eve secret
frank: Hi there
frank: list
frank: forgot alice
""",
    "challenges": """\
alice: holo challenge alice bob -num_digits=4 | Do you have time?
holo 1
bob: holo accept 1 bob {bob}
bob: walomino challenge bob alice carol dave
carol: walomino accept 1 carol {carol}
dave: walomino decline 1 dave {dave} | I have no time.
alice: hextol challenge alice bob
hextol 1
play 1
alice: hextol decline 1 alice {alice}
alice: hextad challenge alice bob
+22
pbm tick
quietly alice: walomino challenge alice bob carol
bob: decline all bob {bob}
""",
    "open-challenges": """\
alice: walomino challenge alice anyone anyone
bob: list open
bob: walomino accept 1 bob {bob}
carol: walomino accept 1 carol {carol}
alice: holo challenge alice anyone
alice: holo decline 1 alice {alice}
alice: hextol challenge alice anyone
+22
pbm tick
""",
    "invitations": """\
alice: holo invite alice {alice} eve@example.net -pool_size=5
alice: invite alice {alice} bob@example.org
""",
    **{game: _game(game) for game in _GAMES},
    **{f"{game}-in-words": _in_words(game) for game in _GAMES},
    "several-players": """\
alice: walomino challenge alice bob carol -rounds=2 -draft=random
walomino 1
play 1
play 999
quietly alice: walomino challenge alice bob carol
walomino 2
play 2
alice: walomino resign 2 alice {alice}
bob: walomino resign 2 bob {bob}
""",
    "offers": """\
quietly alice: holo challenge alice bob
holo 1
quietly bob: holo accept 1 bob {bob}
play 2
alice: holo move 1 alice {alice} propose | Shall we call it a tie?
bob: holo move 1 bob {bob} reject
bob: holo move 1 bob {bob} undo
alice: holo move 1 alice {alice} accept
alice: holo move 1 alice {alice} propose pause 7
bob: holo move 1 bob {bob} accept
bob: holo show 1
+8
pbm tick
play 1
bob: holo chat 1 bob {bob} | What a move!
bob: holo move 1 bob {bob} propose
alice> accept
alice: holo rematch 1 alice {alice}
bob> decline
quietly alice: hextad challenge alice bob
hextad 1
play 2
bob: hextad resign 1 bob {bob}
quietly alice: hextol challenge alice bob
hextol 1
play 2
pbm void hextol 1
""",
    "moves-ahead": """\
quietly alice: holo challenge alice bob -pool_size=2
holo 1
quietly bob: holo accept 1 bob {bob}
alice: holo submit 1 alice {alice} {move}
alice: holo confirm 1 alice {alice}
alice: holo queue 1 alice {alice} 999:1
alice: holo queue 1 alice {alice} 124:5 pass:any
alice: holo queue 1 alice {alice} if * {move}
alice: holo showas alice {alice} 1
play 1
alice: holo queue 1 alice {alice} none
""",
    "clocks": """\
quietly alice: holo challenge alice bob -nag=1 -forfeit=9
holo 1
quietly bob: holo accept 1 bob {bob}
play 1
+2
pbm tick
bob: change vacation bob {bob} 5
bob: change vacation bob {bob} 0
bob: all show bob next
alice: all show alice next
bob: all showas bob {bob}
play 3
+10
pbm tick
quietly alice: hextad challenge alice bob -clock=2d+1d/3d
hextad 1
quietly bob: hextad accept 1 bob {bob}
play 1
+5
pbm tick
""",
    "digests": """\
quietly bob: change digest bob {bob} on
quietly alice: holo challenge alice bob
quietly alice: walomino challenge alice bob carol
quietly alice: hextad challenge alice bob
hextad 1
play 1
quietly carol: hextol challenge carol anyone
+1
pbm tick
bob: unsubscribe bob {bob}
bob: change letters bob {bob} digest
+1
pbm tick
""",
    "accounts": """\
alice: change password alice {alice} another-1
quietly alice: change password alice another-1 {alice}
alice: change address alice {alice} alice@example.net alice@example.org
alice: change address alice {alice} alice@example.org
alice: add alice {alice} a@example.net
alice: change digest alice {alice} on
alice: change letters alice {alice} turns
alice: change letters alice {alice} moves=best
alice: change format alice {alice} words
alice: change format alice {alice} html
alice: change broadcasts alice {alice} off
alice: change profile alice {alice} off
alice: change threads alice {alice} on
alice: change language alice {alice} en
alice: change zone alice {alice} Europe/Berlin
alice: change vacation alice {alice} 10
alice: change notices alice {alice} off
alice: change notices alice {alice} https://ntfy.sh/alice-pbm ntfy
alice: unsubscribe alice {alice}
alice: forgot alice
alice: newcomer alice word
alice: message alice {alice} bob carol | Who plays?
alice: broadcast alice {alice} | Who plays?
alice: block alice {alice} bob
bob: message bob {bob} alice | Hello?
alice: unblock alice {alice} bob
quietly alice: holo challenge alice bob
alice: mute alice {alice} holo 1
alice: unmute alice {alice} holo 1
alice: decline all alice {alice}
alice: export alice {alice}
alice: never word
quietly alice: hextup challenge alice bob
bob: decline all bob {bob}
dave: signoff dave {dave}
dave: delete dave {dave} nameless
""",
    "tournaments": """\
alice: tournament
pbm tournament open holo swiss --rounds 2 --days 1 num_digits=4
alice: tournament
alice: tournament join 1 alice {alice}
bob: tournament join 1 bob {bob}
carol: tournament join 1 carol {carol}
dave: tournament join 1 dave {dave}
dave: tournament leave 1 dave {dave}
+2
pbm tick
holo 1
play 999
alice: tournament 1
pbm tick
holo 2
play 999
pbm tick
alice: tournament 1
pbm tournament open walomino robin --days 3
alice: tournament join 2 alice {alice}
pbm tournament cancel 2
pbm tournament open hextol robin --days 1
+2
pbm tick
""",
    "hints-and-reviews": """\
quietly alice: holo challenge alice bob -num_digits=4
holo 1
quietly bob: holo accept 1 bob {bob}
play 1
bob: holo hint 1 bob {bob}
play 999
alice: holo review 1 alice {alice}
quietly alice: hextup challenge alice bob -rated=no
hextup 1
quietly bob: hextup accept 1 bob {bob}
play 5
{who}: hextup hint 1 {who} {password}
robots
play 999
alice: hextup review 1 alice {alice}
robots
""",
    "analyses": """\
quietly alice: holo challenge alice bob -num_digits=4
holo 1
quietly bob: holo accept 1 bob {bob}
play 1
alice: holo analyse 1 alice {alice}
play 999
alice: holo analyse 1#2 alice {alice} {move}
alice: holo keep 1#2 alice {alice}
alice: holo note 1#2 alice {alice} | A good move.
alice: holo notes 1 alice {alice}
alice: holo publish 1 alice {alice}
bob: holo notes 1 bob {bob}
""",
    "robots": """\
alice: holo challenge alice robot1 -num_digits=4
holo 1
play 1
robots
alice: walomino challenge alice robot
walomino 1
play 1
robots
""",
    "looking": """\
quietly alice: holo challenge alice bob -num_digits=4
holo 1
quietly bob: holo accept 1 bob {bob}
play 3
alice: holo show 1
alice: holo show 1#1
alice: holo showas alice {alice} 1
alice: holo look 1 5
alice: holo fits 1 123
alice: holo preview 1 {move}
alice: holo previewas 1 alice {alice} {move}
alice: holo history
alice: holo games alice
alice: holo games alice all
play 999
alice: holo standings
alice: holo ratings
alice: holo games alice all
alice: list
alice: list holo
alice: all show alice
alice: help
""",
    "replies": """\
quietly alice: holo challenge alice bob -num_digits=4
holo 1
quietly bob: holo accept 1 bob {bob}
play 1
bob> What do you mean?
bob> help
bob> preview {move}
bob> {move}
bob> {move}
alice> resign
alice> chat Thanks, that was fun.
""",
    "refusals": """\
alice: holo moove 1
alice: hollo challenge alice bob
alice: holo challenge alice bob -pool=x
alice: holo challenge alice bob -pool_size=99
alice: holo challenge alice
alice: holo challenge alice alice
alice: holo challenge alice nobody5
alice: holo move 1 alice {alice} 123:4
quietly alice: holo challenge alice bob
holo 1
quietly bob: holo accept 1 bob {bob}
alice: holo move 1 alice wrongword 123:4
alice: holo move 1 alice {alice} 123
alice: holo move 1 alice {alice} 999:1
alice: holo move 1 alice {alice} 123:99
alice: holo move 1 alice {alice} pass:any
alice: holo move 1 carol {carol} {move}
bob: holo move 1 bob {bob} {move}
alice: holo move 1 alice {alice} accept
alice: holo move 1 alice {alice} undo
alice: holo move 1 alice {alice} {move}#9
alice: holo rematch 1 alice {alice}
alice: holo review 1 alice {alice}
alice: holo queue 1 alice {alice}
alice: holo confirm 1 alice {alice}
alice: holo hint 1 bob {bob}
alice: holo show 99
alice: holo show nobody5
alice: holo look 1 999
alice: holo fits 1 999
alice: holo preview 1 999:1
alice: help nonsense
alice: change letters alice {alice} some
alice: change zone alice {alice} Nowhere
alice: change language alice {alice} klingon
alice: change vacation alice {alice} 9999
alice: change address alice {alice} nowhere
alice: message alice {alice} bob
alice: block alice {alice} alice
alice: unblock alice {alice} bob
alice: mute alice {alice} holo 99
alice: tournament 99
alice: tournament join 99 alice {alice}
alice: multiple | help games\\nholo moove\\n
quietly alice: walomino challenge alice bob
quietly bob: walomino accept 1 bob {bob}
walomino 1
alice: walomino move 1 alice {alice} take:X
alice: walomino move 1 alice {alice} pairs:any
quietly alice: hextol challenge alice bob
quietly bob: hextol accept 1 bob {bob}
hextol 1
{who}: hextol move 1 {who} {password} 99:9,9
quietly alice: hextad challenge alice bob
quietly bob: hextad accept 1 bob {bob}
hextad 1
{who}: hextad move 1 {who} {password} 99:9,9
quietly alice: hextup challenge alice bob
quietly bob: hextup accept 1 bob {bob}
hextup 1
{who}: hextup move 1 {who} {password} 99:9,9
""",
}
