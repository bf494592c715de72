"""A second, slow, independent account of the rules: a table with piles as lists, which tries every text there is.

It shares no code with the engine. It knows moves as text alone, keeps the discard pile card by card, and finds legal
moves by trying all that could be written. Written from the rules document, to confirm the perft table and to walk
in step with the engine.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator

KINDS = {"number": 43, "spider": 5, "ant": 5, "cockroach": 5, "mosquito": 5, "moth": 8}
POINTS = {"number": 1, "spider": 5, "ant": 5, "cockroach": 5, "mosquito": 5, "moth": 10}
FITS = {1: {2, 5}, 2: {1, 3}, 3: {2, 4}, 4: {3, 5}, 5: {4, 1}}
CARDS = [f"{'' if kind == 'number' else kind}{number}" for kind in KINDS for number in range(1, 6)]


def kind_of(card: str) -> str:
    return card.rstrip("12345") or "number"


def number_of(card: str) -> int:
    return int(card[-1])


class Table:
    """One table in play. ``stack`` holds what is going on; the last entry is what the game waits for."""

    def __init__(self, players: int, oldest: int, **house: str) -> None:
        self.players = players
        self.house = house
        self.points = [0] * players
        self.rounds_done = 0
        self.open_round(oldest)

    def open_round(self, guard: int) -> None:
        self.opener = self.guard = self.turn = guard
        self.hand = [8] * self.players
        self.deck = 71 - 8 * self.players
        self.pile: list[str] = []  # card texts, the top card last; "?" for a card nobody remembers
        self.may_go = set[int]()
        self.lost = [0] * self.players
        self.stack: list[str] = ["deal"]
        self.receiver = -1
        self.owing = set[int]()
        self.accused = -1
        self.tally: dict[int, dict[str, int]] = {}

    # --- what the game waits for

    @property
    def waits(self) -> str:
        return self.stack[-1]

    @property
    def top(self) -> str:
        return self.pile[-1]

    def in_pile(self, kind: str) -> int:
        return sum(1 for card in self.pile if card != "?" and kind_of(card) == kind)

    def rule(self, name: str, value: str) -> bool:
        return self.house.get(name) == value

    def after_me(self, seat: int) -> int:
        return seat + 1 if seat + 1 < self.players else 0

    def finishing(self) -> bool:
        """The player whose action is open has no card left, and the action is carried out all the same."""
        return (
            self.rule("last_card_action", "carried_out")
            and self.waits in ("ant", "cockroach", "mosquito", "gifts")
            and self.hand[self.turn] == 0
        )

    # --- trying a text

    def tried(self, text: str) -> Table | None:
        """Return the table after the move, or None where it is not legal."""
        verb, *rest = text.split()
        attempt = getattr(self, f"try_{verb}", None)
        if attempt is None:
            return None
        other = self.twin()
        if not getattr(other, f"try_{verb}")(*rest):
            return None
        other.end_if_empty()
        return other

    def twin(self) -> Table:
        other = copy.copy(self)
        for name in ("hand", "pile", "may_go", "lost", "stack", "owing", "tally", "points"):
            setattr(other, name, copy.copy(getattr(self, name)))
        return other

    def end_if_empty(self) -> None:
        playing = self.waits not in ("deal", "accusation", "count", "round_over", "game_over")
        if playing and not self.finishing() and min(self.hand) == 0:
            self.stack.append("count")

    def pass_turn(self) -> None:
        self.turn = self.after_me(self.turn)
        self.stack = ["turn"]

    def take(self, seat: int) -> None:
        if self.deck == 0 and len(self.pile) > 1:
            self.deck = len(self.pile) - 1
            self.pile = self.pile[-1:]
        if self.deck:
            self.deck -= 1
            self.hand[seat] += 1
            self.may_go.discard(seat)

    def put(self, seat: int, card: str) -> bool:
        if self.in_pile(kind_of(card)) == KINDS[kind_of(card)] or self.hand[seat] == 0:
            return False
        self.hand[seat] -= 1
        self.pile.append(card)
        self.may_go.add(seat)
        return True

    def pass_card(self, giver: int, receiver: int) -> None:
        self.hand[giver] -= 1
        self.hand[receiver] += 1
        self.may_go.add(giver)
        self.may_go.discard(receiver)

    def try_deal(self, card: str) -> bool:
        if self.waits != "deal":
            return False
        self.deck -= 1
        self.pile = [card]
        self.stack = ["turn"]
        return True

    def try_play(self, seat: str, card: str) -> bool:
        if self.waits != "turn" or int(seat) != self.turn or number_of(card) not in FITS[number_of(self.top)]:
            return False
        if kind_of(card) == "moth" and self.turn != self.guard:
            return False
        if not self.put(self.turn, card):
            return False
        self.may_go = {self.turn}
        if kind_of(card) in ("number", "moth"):
            self.pass_turn()
        else:
            self.stack = [kind_of(card)]
        return True

    def try_draw(self, seat: str) -> bool:
        if self.waits != "turn" or int(seat) != self.turn:
            return False
        self.take(self.turn)
        self.may_go = set()
        self.pass_turn()
        return True

    def try_give(self, seat: str, to: str) -> bool:
        if self.waits != "spider" or int(seat) != self.turn or int(to) == self.turn:
            return False
        if self.rule("spider_last_card", "forbidden") and self.hand[self.turn] == 1:
            return False
        self.pass_card(self.turn, int(to))
        if self.rule("spider_last_card", "forbidden"):
            self.may_go.discard(self.turn)
        self.pass_turn()
        return True

    def try_keep(self, seat: str) -> bool:
        if self.waits != "spider" or int(seat) != self.turn:
            return False
        self.pass_turn()
        return True

    def try_ant(self, *names: str) -> bool:
        if self.waits != "ant" or str(self.turn) in names:
            return False
        seat = self.after_me(self.turn)
        while seat != self.turn:
            if names == ("all",) or str(seat) in names:
                self.take(seat)
            seat = self.after_me(seat)
        self.pass_turn()
        return True

    def try_race(self, seat: str, card: str = "") -> bool:
        if self.waits != "cockroach":
            return False
        if seat != "none":
            lawful = {"number"}
            if self.rule("cockroach_cards", "any_but_moths"):
                lawful = set(KINDS) - {"moth"}
            if number_of(card) != number_of(self.top) or kind_of(card) not in lawful or not self.put(int(seat), card):
                return False
        self.pass_turn()
        return True

    def try_slaps(self, *names: str) -> bool:
        if self.waits != "mosquito" or str(self.turn) in names:
            return False
        if names == ("none",):
            self.pass_turn()
            return True
        self.receiver = int(names[-1])
        self.owing = {seat for seat in range(self.players) if self.hand[seat]} - {self.receiver}
        self.stack = ["gifts"]
        return True

    def owed(self, *seats: int) -> None:
        self.owing -= set(seats)
        if not self.owing:
            self.pass_turn()

    def try_gift(self, seat: str) -> bool:
        if self.waits != "gifts" or int(seat) not in self.owing:
            return False
        self.pass_card(int(seat), self.receiver)
        self.owed(int(seat))
        return True

    def try_nogift(self, seat: str) -> bool:
        if self.waits != "gifts" or int(seat) not in self.owing:
            return False
        self.owed(int(seat))
        return True

    def try_gifts(self, _all: str) -> bool:
        if self.waits != "gifts":
            return False
        for seat in self.owing:
            self.pass_card(seat, self.receiver)
        self.owed(*self.owing)
        return True

    def try_accuse(self, seat: str) -> bool:
        calm = ("turn", "spider", "ant", "cockroach", "mosquito", "gifts")
        if self.waits not in calm or int(seat) == self.guard or self.finishing():
            return False
        self.accused = int(seat)
        self.stack.append("accusation")
        return True

    def try_uphold(self, cards: str) -> bool:
        most = int(self.house.get("caught_gift", "1"))
        if self.waits != "accusation" or int(cards) > most or int(cards) > self.hand[self.guard]:
            return False
        self.stack.pop()
        for _ in range(int(cards)):
            self.pass_card(self.guard, self.accused)
        self.may_go.discard(self.accused)
        self.guard = self.accused
        return True

    def try_dismiss(self) -> bool:
        if self.waits != "accusation":
            return False
        self.stack.pop()
        self.take(self.guard)
        return True

    def try_withdraw(self) -> bool:
        return self.waits == "accusation" and bool(self.stack.pop())

    def try_out(self, name: str) -> bool:
        seat = int(name)
        calm = ("turn", "spider", "ant", "cockroach", "mosquito", "gifts")
        if self.waits not in calm or seat not in self.may_go or self.hand[seat] == 0:
            return False
        if self.rule("cheatable", "moths_only") and self.hand[seat] + sum(self.lost) + self.in_pile("moth") > 8:
            return False
        self.lost[seat] += self.hand[seat]
        self.hand[seat] = 0
        self.may_go.discard(seat)
        if self.finishing() and self.waits == "gifts":
            self.owed(seat)
        return True

    def try_count(self, name: str, *parts: str) -> bool:
        seat = int(name)
        if self.waits != "count" or self.hand[seat] == 0:
            return False
        self.tally[seat] = {kind: int(cards) for kind, cards in (part.split("=") for part in parts)}
        for kind, most in KINDS.items():
            if sum(one.get(kind, 0) for one in self.tally.values()) + self.in_pile(kind) > most:
                return False
        if len(self.tally) == sum(1 for cards in self.hand if cards):
            for player, cards in self.tally.items():
                self.points[player] += sum(POINTS[kind] * many for kind, many in cards.items())
            self.rounds_done += 1
            self.stack = ["game_over" if self.rounds_done == self.players else "round_over"]
        return True

    def try_next(self) -> bool:
        if self.waits != "round_over":
            return False
        last = self.rule("next_guard", "left_of_last_guard")
        self.open_round(self.after_me(self.guard if last else self.opener))
        return True

    def try_set(self, what: str, *words: str) -> bool:
        """Enough corrections to set a scene before a perft: while a turn is open, and within the piles."""
        if self.waits != "turn":
            return False
        if what == "hand":
            seat, cards = int(words[0]), int(words[1])
            more = cards - self.hand[seat]
            self.hand[seat] = cards
            if more < 0:
                self.pile[:0] = ["?"] * -more
            else:
                self.deck -= more
        elif what == "draw":
            more = int(words[0]) - self.deck
            self.deck += more
            if more < 0:
                self.pile[:0] = ["?"] * -more
            else:
                del self.pile[:more]
        elif what == "turn":
            self.turn = int(words[0])
        elif what == "guard":
            self.guard = int(words[0])
        return True

    # --- everything that could be written

    def texts(self) -> Iterator[str]:
        """Yield every text that may stand for a move, in its one spelling; counts as ``legal_moves`` documents."""
        seats = [str(seat) for seat in range(self.players)]
        yield from ("keep " + seat for seat in seats)
        yield from (f"deal {card}" for card in CARDS)
        for seat in seats:
            yield from (f"{verb} {seat} {card}" for verb in ("play", "race") for card in CARDS)
            yield from (f"{verb} {seat}" for verb in ("draw", "gift", "nogift", "accuse", "out"))
            yield from (f"give {seat} {other}" for other in seats)
            yield from self.count_texts(int(seat))
        for length in range(1, self.players):
            yield from ("slaps " + " ".join(order) for order in itertools.permutations(seats, length))
            if length < self.players - 1:
                yield from ("ant " + " ".join(some) for some in itertools.combinations(seats, length))
        yield from ("ant all", "ant none", "race none", "slaps none", "gifts all", "dismiss", "withdraw", "next")
        yield from (f"uphold {cards}" for cards in range(4))

    def count_texts(self, seat: int) -> Iterator[str]:
        if seat not in self.tally:
            yield from (f"count {seat} number={cards}" for cards in range(self.hand[seat] + 1))
            for kind in list(KINDS)[1:]:
                numbers = f"number={self.hand[seat] - 1} " if self.hand[seat] > 1 else ""
                yield f"count {seat} {numbers}{kind}=1"

    def legal(self) -> dict[str, Table]:
        """Return every legal text with the table it leads to."""
        tried = ((text, self.tried(text)) for text in self.texts())
        return {text: table for text, table in tried if table is not None}


def perft(table: Table, depth: int) -> int:
    """Count the sequences of legal moves of this length."""
    children = table.legal()
    return len(children) if depth == 1 else sum(perft(child, depth - 1) for child in children.values())
