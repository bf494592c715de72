"""Set up a game: names, places at the table, who is oldest, house rules, assist level. Pure."""

from collections.abc import Mapping, Sequence

from companion.letters import cut, letters, one_line, unlike
from companion.rules.engine import new_game
from companion.rules.houserules import HouseRules
from companion.session.errors import BadPlayers, NotThere, NotYours, SeatTaken
from companion.session.game import Folded, Game
from companion.session.settings import SETTINGS
from companion.session.taps import Planned
from companion.session.views import Assist, Viewer


def plan_game(
    players: Sequence[str],
    oldest: int,
    house: HouseRules | Mapping[str, object] | None,
    assist: Assist | str,
    places: Sequence[int] | None,
    *,
    refused: NotYours | None = None,
) -> Planned:
    """Plan a new game for these players in seat order, clockwise.

    ``places`` says for each seat which seat of the table's layout it is (the same numbers where it is left out).
    ``refused`` is why whoever asks may not. Raises it, BadPlayers, or BadSetUp from the rules.
    """
    if refused is not None:
        raise refused
    names = [cleaned(name) for name in players]
    for count, name in enumerate(names):
        _require_unlike(name, names[:count])
    rules = house if isinstance(house, HouseRules) else HouseRules.from_dict(house or {})
    new_game(len(names), oldest, rules)
    at = list(range(len(names))) if places is None else list(places)
    if len(at) != len(names) or len(set(at)) < len(at) or any(place < 0 for place in at):
        raise BadPlayers("Each player needs a place at the table of their own: choose the places again.")
    return Planned(
        "game",
        {
            "players": names,
            "places": at,
            "oldest": oldest,
            "house": rules.to_dict(),
            "assist": read_assist(assist).value,
        },
    )


def plan_claim(folded: Folded, game: Game, seat: int, key: str) -> Planned | None:
    """Plan that a phone takes a seat; None when it has it already. Raises NotThere or SeatTaken."""
    require_seat(game, seat)
    holder = folded.claim_of(seat)
    if holder == key:
        return None
    if holder is not None:
        raise SeatTaken(
            "Another phone has the seat of {name}: choose another, or free that seat on the tablet first.",
            name=game.players[seat],
        )
    return Planned("seat", {"seat": seat, "key": key})


def plan_release(folded: Folded, game: Game, seat: int, by: Viewer) -> Planned | None:
    """Plan that a seat is free again; None when it is. Its phone and the tablet may. Raises NotThere or NotYours."""
    require_seat(game, seat)
    if not by.table and by.seat != seat:
        raise NotYours("Only {name}'s own phone or the tablet can free this seat.", name=game.players[seat])
    return None if folded.claim_of(seat) is None else Planned("seat", {"seat": seat, "key": None})


def plan_rename(game: Game, seat: int, name: str, by: Viewer) -> Planned:
    """Plan to correct a player's name. Its own phone and the tablet may. Raises BadPlayers, NotThere or NotYours."""
    require_seat(game, seat)
    if not by.table and by.seat != seat:
        raise NotYours("Only {name}'s own phone or the tablet can change this name.", name=game.players[seat])
    new = cleaned(name)
    _require_unlike(new, [other for at, other in enumerate(game.players) if at != seat])
    return Planned("setting", {"seat": seat, "name": new})


def plan_assist(assist: Assist | str, by: Viewer) -> Planned:
    """Plan to change the assist level; on the tablet alone, where everyone sees it."""
    if not by.table:
        raise NotYours("How much the camera helps is set on the tablet, where everyone sees it.")
    return Planned("setting", {"assist": read_assist(assist).value})


def read_assist(assist: Assist | str) -> Assist:
    """Read an assist level. Raises BadPlayers, naming the choices, when it is none."""
    try:
        return Assist(assist)
    except ValueError as error:
        raise BadPlayers(
            "There is no assist level {assist}: choose one of {choices}.", assist=assist, choices=", ".join(Assist)
        ) from error


def require_seat(game: Game, seat: int) -> None:
    """Raise NotThere unless the game has this seat."""
    if not 0 <= seat < len(game.players):
        raise NotThere("There is no such seat in this game: choose one of the {seats} seats.", seats=len(game.players))


def _require_unlike(name: str, others: Sequence[str]) -> None:
    if unlike(name) in {unlike(other) for other in others}:
        raise BadPlayers("Two players are called {name}: give each a name of their own.", name=name)


def cleaned(name: str) -> str:
    """Return a name as it is kept: one line, single spaces. Raises BadPlayers when it is empty or too long."""
    kept = one_line(name)
    if not kept:
        raise BadPlayers("A player has no name: enter one for each player.")
    most = SETTINGS.longest_name
    if len(letters(kept)) > most or len(kept) > most * SETTINGS.code_points_a_letter:
        raise BadPlayers(
            "The name {name}... is too long: use at most {most} characters.", name=cut(kept, 12), most=most
        )
    return kept
