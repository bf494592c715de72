"""Stages of a game, reached by moves."""

from companion.session import Session

TURN = ("deal 3",)
SPIDER = (*TURN, "play 0 spider4")
ANT = (*SPIDER, "give 0 1", "play 1 ant5")
MOSQUITO = (*ANT, "ant all", "play 2 mosquito1")
GIFTS = (*MOSQUITO, "slaps 0")
COCKROACH = (*GIFTS, "gifts all", "play 0 cockroach2")
ACCUSATION = (*COCKROACH, "race 1 2", "accuse 1")
COUNT = (*ACCUSATION, "dismiss", "draw 1", "play 2 3", "play 0 4", "play 1 3", "out 1")
ROUND_OVER = (*COUNT, "count 0 number=3 moth=1", "count 2 number=2 spider=1")

NEXT = ("next", "deal 3")
GAME_OVER = (
    *ROUND_OVER,
    *(*NEXT, "draw 1", "play 2 4", "out 2", "count 0 number=4", "count 1 ant=1"),
    *(*NEXT, "draw 2", "play 0 2", "out 0", "count 1 number=1 moth=1", "count 2 number=6"),
)

MOVES: dict[str, tuple[str, ...]] = {
    "deal": (),
    "turn": TURN,
    "spider": SPIDER,
    "ant": ANT,
    "mosquito": MOSQUITO,
    "gifts": GIFTS,
    "cockroach": COCKROACH,
    "accusation": ACCUSATION,
    "count": COUNT,
    "round_over": ROUND_OVER,
    "game_over": GAME_OVER,
}


def play(session: Session, *moves: str) -> None:
    """Enter moves as the tablet would."""
    tablet = session.viewer("test's tablet", table=True)
    for move in moves:
        session.submit(move, session.seq, tablet)
