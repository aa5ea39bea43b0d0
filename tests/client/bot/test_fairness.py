from fortythieves.rules.cards import HIDDEN
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import Fall, Log
from fortythieves_client.bot.fairness import JUDGED, fair, judged, seen_board

WIDTH = 8


def log_of(key: str, *entries: str) -> Log:
    return Log(GAMES[key], deck_of_number(32_001), "free", entries)


def test_the_bot_sees_only_what_the_racer_saw() -> None:
    log = log_of("indian", "6-F", "draw", "draw", UNDO)
    seen, board = seen_board(log, 4), log.board(4)
    assert seen.columns == board.columns
    assert seen.waste == board.waste
    assert HIDDEN in seen.position.stock
    assert HIDDEN not in board.position.stock


def test_only_the_most_costly_moves_are_judged() -> None:
    log = log_of("maria", *["draw"] * 20)
    assert len(judged(log, [Fall(at, 20, 19, ()) for at in range(20)], 1)) == JUDGED


def test_the_score_is_the_share_of_cards_at_home() -> None:
    move = judged(log_of("maria", *["draw"] * 2), [Fall(0, 20, 10, ())], 1)[0]
    assert fair(30, [move._replace(cost=10)], left=20) == 50
    assert fair(30, [], left=0) == 100
    assert fair(0, [], left=0) == 100
    assert fair(0, [], left=7) == 0
