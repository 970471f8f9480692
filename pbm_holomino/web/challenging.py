"""New boards: the form of a challenge, with every option explained, and rematches."""

from collections.abc import Iterator, Mapping, Sequence

from starlette.responses import Response

from pbm_holomino import rules
from pbm_holomino.errors import NotAllowed, PbmError
from pbm_holomino.languages import Sentence, Text, sentence
from pbm_holomino.match.account import is_userid
from pbm_holomino.match.open_challenge import ANYONE, SOME_ROBOT
from pbm_holomino.named_tuples import NamedTuple
from pbm_holomino.rules.contract import AnyGame
from pbm_holomino.rules.options import (
    CHALLENGE_OPTIONS,
    RATED,
    Option,
    configure,
    typed_option,
)
from pbm_holomino.web.playing import refused, seat
from pbm_holomino.web.visit import Visit

# What a robot of each level does
HOW_IT_PLAYS = {
    1: sentence(
        "It takes what is best at once and looks no further, which is good for first "
        "games."
    ),
    2: sentence("It looks one move ahead, at what the others can do next."),
    3: sentence(
        "It thinks ahead as far as its time allows, and says how it sees the position."
    ),
}


def rematch(visit: Visit) -> Response:
    """Begin another game against the same players, with other options if there are
    any in the form."""
    who, options = visit.must_be_player().userid, visit.field("options").split()
    try:
        visit.run(who, *seat(visit, "rematch", who), *options)
    except PbmError as error:
        return refused(visit, error)
    return to_new(visit)


def to_new(visit: Visit) -> Response:
    """Lead the browser to the board that its form has opened."""
    opened = visit.library.opened_by(visit.game, visit.source)
    assert opened is not None
    return visit.redirect(visit.game, opened.record.board)


# The form

# Robots are chosen by fields whose names begin so, and whose values are their names:
# all by one field where there is one seat for them, each by its own elsewhere.
_ROBOT = "robot:"


def page(visit: Visit, said: Text = "", status: int = 200) -> Response:
    """The form for a challenge, with every option of the game explained."""
    visit.must_be_player()
    game = rules.load(visit.game)
    form = visit.form or _asked_for(visit)
    is_for_two = game.SEATS[1] == 2
    return visit.page(
        "new.html",
        status,
        game=visit.game,
        seats=range(game.SEATS[0], game.SEATS[1] + 1),
        robot_kind="radio" if is_for_two else "checkbox",
        robots=list(_robots(visit, form, is_for_two)),
        options=list(_options_shown(visit, game, form)),
        presets=_presets(game),
        anyone=ANYONE,
        form=form,
        said=said,
    )


def _asked_for(visit: Visit) -> dict[str, str]:
    """What a form holds at first: the player whom a link names."""
    name = visit.query("others")
    if name == SOME_ROBOT or visit.library.is_robot(name):
        return {_ROBOT: name, f"{_ROBOT}{name}": name}
    return {"others": name} if is_userid(name) else {}


class _Robot(NamedTuple):
    """A robot to choose, or none: its field, its name, and what it does."""

    field: str
    name: str
    how: Sentence
    is_chosen: bool


def _robots(
    visit: Visit, form: Mapping[str, str], is_for_two: bool
) -> Iterator[_Robot]:
    levels = visit.library.robots
    if is_for_two:
        yield _Robot(_ROBOT, "", sentence("No robot."), not form.get(_ROBOT))
    described = {SOME_ROBOT: sentence("The one that is nearest to your rating.")}
    described |= {name: HOW_IT_PLAYS[level] for name, level in levels.items()}
    for name, how in described.items():
        field = _ROBOT if is_for_two else f"{_ROBOT}{name}"
        yield _Robot(field, name, how, form.get(field) == name)


class _Shown(NamedTuple):
    """An option as the form shows it."""

    name: str
    explained: Sequence[Text]
    usual: Text  # what it is without a choice
    choices: tuple[tuple[str, Text], ...]  # each as it is typed, and as it is shown
    typed: str  # what was chosen before
    is_number: bool


def _options_shown(
    visit: Visit, game: AnyGame, form: Mapping[str, str]
) -> Iterator[_Shown]:
    usual = configure(game, {})
    for option in (*game.OPTIONS, *CHALLENGE_OPTIONS):
        typed, default = form.get(f"-{option.name}", ""), _usual(option)
        explained: list[Text] = [option.help]
        if option == RATED:
            explained.append(_of_robots(visit))
        if limits := option.range(usual):
            explained += [limits, *([_AS_USUAL.of(value=default)] if default else ())]
        choices, is_number = _choices(option), option.limits is not None
        yield _Shown(option.name, explained, default, choices, typed, is_number)


_AS_USUAL = sentence("As usual: {value}.")


def _choices(option: Option) -> tuple[tuple[str, Text], ...]:
    if option.limits or option.form:
        return ()
    if option.choices:
        return tuple((word, word) for word in option.choices)
    return ("yes", _YES), ("no", _NO)


_YES, _NO = sentence("yes"), sentence("no")


def _usual(option: Option) -> Text:
    """What an option is unless it is chosen; empty for a number that is just not
    set."""
    if option == RATED:
        return sentence("yes against people, no against robots")
    if not option.is_flag:
        return "" if option.default is None else str(option.default)
    return _YES if option.default else _NO


def _of_robots(visit: Visit) -> Sentence:
    """What the owner has chosen about games against robots."""
    if visit.site.config.rated_robots == "yes":
        return sentence("The owner allows it here.")
    return sentence("The owner does not allow it here.")


def _presets(game: AnyGame) -> dict[str, str]:
    """The sets of options that have a name, each with these options as they are
    typed."""
    by_name = {option.name: option for option in game.OPTIONS}
    return {
        preset: " ".join(typed_option(by_name[name], v) for name, v in options.items())
        for preset, options in game.PRESETS.items()
    }


def challenge(visit: Visit) -> Response:
    """Open a board, or a challenge to anybody."""
    who = visit.must_be_player().userid
    others = [name.lower() for name in visit.field("others").replace(",", " ").split()]
    chosen = [name for field, name in visit.form.items() if field.startswith(_ROBOT)]
    others += filter(None, chosen)
    names = [who, *others] if visit.field("first") != "them" else [*others, who]
    try:
        if not others:
            raise NotAllowed(
                sentence(
                    'Please name the players whom you challenge, write "{anyone}", or '
                    "choose a robot.",
                    anyone=ANYONE,
                )
            )
        if not all(map(is_userid, others)):
            raise NotAllowed(sentence("One of these names cannot be a player's."))
        words = [visit.game, "challenge", *names, *_options(visit)]
        visit.run(who, *words, body=visit.field("text"))
    except PbmError as error:
        return page(visit, error.said, 422)
    return to_new(visit)


def _options(visit: Visit) -> list[str]:
    """The options that were chosen, as they are typed."""
    game = rules.load(visit.game)
    names = {f"-{option.name}" for option in (*game.OPTIONS, *CHALLENGE_OPTIONS)}
    names |= {"-rules"} if game.PRESETS else set()
    return [
        f"{name}={''.join(visit.form[name].split())}"
        for name in sorted(names & visit.form.keys())
        if visit.form[name].strip()
    ]
