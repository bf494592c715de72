"""One line of text for every state: ``name=value`` words, for tests, logs and reports."""

from collections.abc import Mapping
from types import MappingProxyType, NoneType
from typing import Final

from companion.rules.cards import DECK_SIZE, Card, Counts
from companion.rules.errors import BadSetUp, UnreadableMove
from companion.rules.houserules import HouseRules
from companion.rules.state import PLAYING, Accusation, Counting, Gifts, Pending, Phase, RoundResult, State, Suspended
from companion.rules.words import Unread, format_counts, read_card, read_counts, read_whole

_NOTHING: Final = "-"
_NAMES: Final = [
    *("seats", "house", "round", "start", "guard", "turn", "phase", "hands", "draw", "discard", "top", "known"),
    *("acts", "pending", "vanished", "calls", "caught", "results"),
]


def format_state(state: State) -> str:
    """Write a state; ``parse_state`` reads it back as an equal one."""
    values = (
        str(state.seats),
        _house(state.house),
        str(state.round),
        str(state.starting_guard),
        str(state.guard),
        str(state.turn),
        state.phase.value,
        _wholes(state.hands),
        str(state.draw_pile),
        str(state.discard_pile),
        str(state.top or _NOTHING),
        _counts(state.known),
        _wholes(state.last_acts),
        _pending(state.pending),
        _wholes(state.vanished),
        _wholes(state.calls),
        _wholes(state.caught),
        ";".join(_result(result) for result in state.results) or _NOTHING,
    )
    return " ".join(f"{name}={value}" for name, value in zip(_NAMES, values, strict=True))


def _wholes(values: tuple[int, ...]) -> str:
    return ",".join(str(value) for value in values) or _NOTHING


def _counts(counts: Counts) -> str:
    return format_counts(counts).replace(" ", "+").replace("=", ":")


def _house(house: HouseRules) -> str:
    usual = HouseRules().to_dict()
    unusual = [f"{name}:{value}" for name, value in house.to_dict().items() if value != usual[name]]
    return ",".join(unusual) or _NOTHING


def _pending(pending: Pending | None) -> str:
    match pending:
        case None:
            return _NOTHING
        case Gifts(receiver, givers):
            return f"gifts/{receiver}/{_wholes(givers)}"
        case Accusation(seat, suspended):
            return f"accusation/{seat}/{_suspended(suspended)}"
        case Counting(counts, suspended):
            entered = ",".join(_NOTHING if one is None else _counts(one) for one in counts)
            return f"counting/{entered}/{_suspended(suspended)}"


def _suspended(suspended: Suspended) -> str:
    return suspended.phase.value if suspended.gifts is None else _pending(suspended.gifts)


def _result(result: RoundResult) -> str:
    by_seat = (result.hands, result.vanished, result.calls, result.caught)
    counts = ",".join(_counts(one) for one in result.counts)
    return "/".join((str(result.starting_guard), str(result.guard), *map(_wholes, by_seat), counts))


def parse_state(text: str) -> State:
    """Read a state.

    Raises UnreadableMove for text that is no state, and for one in which the deck is not whole.
    """
    pairs = [word.partition("=") for word in text.split()]
    try:
        state = _read_state(pairs)
        _require_coherent(state)
    except (Unread, ValueError, BadSetUp):
        raise UnreadableMove("This is no state of a game: copy the whole line as it was written.") from None
    cards = sum(state.hands) + state.draw_pile + state.discard_pile + sum(state.vanished)
    if cards != DECK_SIZE:
        raise UnreadableMove(
            "This state has {cards} cards and the deck has {deck}: copy the whole line as it was written.",
            cards=cards,
            deck=DECK_SIZE,
        )
    return state


def _read_state(pairs: list[tuple[str, str, str]]) -> State:
    if [name for name, _, _ in pairs] != _NAMES:
        raise Unread
    values = {name: value for name, _, value in pairs}
    seats = read_whole(values["seats"])
    return State(
        seats=seats,
        house=_read_house(values["house"]),
        round=read_whole(values["round"]),
        starting_guard=_read_seat(values["start"], seats),
        guard=_read_seat(values["guard"], seats),
        turn=_read_seat(values["turn"], seats),
        phase=Phase(values["phase"]),
        hands=_read_by_seat(values["hands"], seats),
        draw_pile=read_whole(values["draw"]),
        discard_pile=read_whole(values["discard"]),
        top=_read_top(values["top"]),
        known=_read_counts(values["known"]),
        last_acts=_read_wholes(values["acts"]),
        pending=_read_pending(values["pending"], seats),
        vanished=_read_by_seat(values["vanished"], seats),
        calls=_read_by_seat(values["calls"], seats),
        caught=_read_by_seat(values["caught"], seats),
        results=tuple(_read_result(part, seats) for part in values["results"].split(";") if part != _NOTHING),
    )


_PENDING_OF: Final[Mapping[Phase, type]] = MappingProxyType(
    {Phase.GIFTS: Gifts, Phase.ACCUSATION: Accusation, Phase.COUNT: Counting}
)


def _require_coherent(state: State) -> None:
    if type(state.pending) is not _PENDING_OF.get(state.phase, NoneType):
        raise Unread
    if isinstance(state.pending, Accusation | Counting):
        suspended = state.pending.suspended
        if suspended.phase not in PLAYING or (suspended.phase is Phase.GIFTS) is (suspended.gifts is None):
            raise Unread
    if isinstance(state.pending, Counting) and len(state.pending.counts) != state.seats:
        raise Unread
    over = state.phase in (Phase.ROUND_OVER, Phase.GAME_OVER)
    if len(state.results) != state.round - (not over) or any(len(one.counts) != state.seats for one in state.results):
        raise Unread
    if (state.top is None) is not (state.phase is Phase.DEAL) or state.known.total > state.discard_pile:
        raise Unread


def _read_seat(word: str, seats: int) -> int:
    seat = read_whole(word)
    if seat >= seats:
        raise Unread
    return seat


def _read_wholes(word: str) -> tuple[int, ...]:
    return () if word == _NOTHING else tuple(read_whole(part) for part in word.split(","))


def _read_by_seat(word: str, seats: int) -> tuple[int, ...]:
    values = _read_wholes(word)
    if len(values) != seats:
        raise Unread
    return values


def _read_top(word: str) -> Card | None:
    return None if word == _NOTHING else read_card(word)


def _read_counts(word: str) -> Counts:
    return read_counts(word.replace(":", "=").split("+"))


def _read_house(word: str) -> HouseRules:
    if word == _NOTHING:
        return HouseRules()
    pairs = (part.partition(":") for part in word.split(","))
    return HouseRules.from_dict({name: int(value) if value.isdigit() else value for name, _, value in pairs})


def _read_pending(word: str, seats: int) -> Pending | None:
    match word.split("/"):
        case ["-"]:
            return None
        case ["gifts", receiver, givers]:
            return Gifts(_read_seat(receiver, seats), _read_wholes(givers))
        case ["accusation", seat, *suspended]:
            return Accusation(_read_seat(seat, seats), _read_suspended(suspended, seats))
        case ["counting", entered, *suspended]:
            parts = entered.split(",")
            counts = tuple(None if part == _NOTHING else _read_counts(part) for part in parts)
            return Counting(counts, _read_suspended(suspended, seats))
        case _:
            raise Unread


def _read_suspended(parts: list[str], seats: int) -> Suspended:
    if len(parts) == 1:
        return Suspended(Phase(parts[0]))
    gifts = _read_pending("/".join(parts), seats)
    if not isinstance(gifts, Gifts):
        raise Unread
    return Suspended(Phase.GIFTS, gifts)


def _read_result(word: str, seats: int) -> RoundResult:
    match word.split("/"):
        case [start, guard, hands, vanished, calls, caught, counts]:
            return RoundResult(
                starting_guard=_read_seat(start, seats),
                guard=_read_seat(guard, seats),
                hands=_read_by_seat(hands, seats),
                vanished=_read_by_seat(vanished, seats),
                calls=_read_by_seat(calls, seats),
                caught=_read_by_seat(caught, seats),
                counts=tuple(_read_counts(part) for part in counts.split(",")),
            )
        case _:
            raise Unread
