"""One seat's race is a fold over its move log."""

from typing import get_args

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import Game, game
from fortythieves.rules.move_notation import DRAW
from fortythieves.rules.race_rules import MOST_ENTRIES, UNDO
from fortythieves.rules.settings import Undo
from fortythieves.times import Ms
from fortythieves_server.core.playthrough import THEN, Playthrough, extended
from tests.server.tables import fold
from tests.shared.kinds import KINDS
from tests.shared.players import Dice, easy_deck, greedy_move, hard_deck
from tests.shared.seen import seen_after_each

START = Ms(1_795_258_800_000)
LUCAS = game("lucas")
DECK = deck_of_number(32001)


def playthrough_of(key: str = "forty-thieves", undo: Undo = "free", deck: list[Card] | None = None) -> Playthrough:
    return Playthrough(game(key), deck or DECK, undo, START)


def confirm(playthrough: Playthrough, at: Ms, text: str) -> None:
    playthrough.confirm(at, extended(playthrough.log_hash, at, text))


def play(playthrough: Playthrough, *texts: str, at: Ms = START) -> None:
    for k, text in enumerate(texts):
        playthrough.play(text)
        confirm(playthrough, at + Ms(1000 * k), text)


def play_greedily(playthrough: Playthrough, dice: Dice, entries: int = 400) -> list[tuple[Ms, str]]:
    """Play, now and then taking a move back, until it is over; returns the log."""
    log = []
    for k in range(entries):
        if playthrough.outcome or not playthrough.board.legal_moves:
            break
        text = UNDO if playthrough.board.moves_made and dice.happens(0.1) else str(greedy_move(playthrough.board, dice))
        try:
            playthrough.play(text)
        except Refused:
            continue
        at = START + Ms(700 * k)
        confirm(playthrough, at, text)
        log.append((at, text))
    return log


def refusal(playthrough: Playthrough, text: str) -> str:
    """The code of the refusal; a refused entry has changed nothing."""
    before = (playthrough.progress, list(playthrough.entries), playthrough.board.position)
    with pytest.raises(Refused) as refused:
        playthrough.play(text)
    assert (playthrough.progress, playthrough.entries, playthrough.board.position) == before
    return refused.value.code


@pytest.mark.parametrize("which", KINDS.values(), ids=lambda which: which.key)
@pytest.mark.parametrize("undo", get_args(Undo))
def test_the_replayed_log_is_the_live_playthrough(which: Game, undo: Undo) -> None:
    dice = Dice(7)
    for deck in (DECK, easy_deck(which, dice), hard_deck(which, dice)):
        live = Playthrough(which, deck, undo, START)
        log = play_greedily(live, dice, entries=120)
        again = fold(which, deck, undo, START, log)
        assert again.progress == live.progress
        assert again.entries == live.entries
        assert again.board.position == live.board.position
        assert again.outcome == live.outcome


@pytest.mark.parametrize("which", KINDS.values(), ids=lambda which: which.key)
def test_progress_counts_each_revealed_card_once(which: Game) -> None:
    playthrough = Playthrough(which, easy_deck(which, Dice(7)), "turned", START)
    log = play_greedily(playthrough, Dice(7))
    seen = seen_after_each(which, [text for _, text in log])
    assert playthrough.progress.revealed == len(seen[-1]) - len(seen[0]) > 0
    playthrough = Playthrough(which, DECK, "free", START)
    play(playthrough, "draw", UNDO, "draw", UNDO)
    assert playthrough.progress.revealed == which.draw, "free undo does not make it fewer"


def test_a_log_of_another_deal_is_refused() -> None:
    with pytest.raises(Refused):
        fold(LUCAS, DECK, "free", START, [(START, "draw"), (START, "redeal")])


def test_the_start_shows_the_columns_as_the_player_sees_them() -> None:
    playthrough = playthrough_of("rank-and-file")
    assert [len(column) for column in playthrough.start] == [8] * 10
    assert all(column.startswith("######") and not column.endswith("##") for column in playthrough.start)
    play(playthrough, "draw")
    assert playthrough.start == playthrough_of("rank-and-file").start


def test_a_refused_entry_changes_nothing_also_in_a_full_log() -> None:
    playthrough = playthrough_of()
    play(playthrough, "draw")
    assert refusal(playthrough, "W-11") == "illegal-move"
    assert refusal(playthrough, "redeal") == "illegal-move"
    assert refusal(playthrough, "hello") == "bad-move"
    assert refusal(playthrough, "DRAW") == "bad-move"
    playthrough = playthrough_of()
    while len(playthrough.entries) < MOST_ENTRIES:
        play(playthrough, "draw", UNDO)
    assert refusal(playthrough, "draw") == "log-full"


@pytest.mark.parametrize(("undo", "code"), [("none", "undo-off"), ("turned", "undo-turned")])
def test_undo_may_be_off_or_stop_at_revealed_cards(undo: Undo, code: str) -> None:
    playthrough = playthrough_of(undo=undo)
    play(playthrough, "draw")
    assert refusal(playthrough, UNDO) == code


def test_only_moves_that_revealed_no_card_are_undone() -> None:
    playthrough = Playthrough(LUCAS, easy_deck(LUCAS, Dice(1)), "turned", START)
    play(playthrough, "draw", str(next(move for move in playthrough.board.legal_moves if move != DRAW)), UNDO)
    assert refusal(playthrough, UNDO) == "undo-turned"
    playthrough = Playthrough(game("indian"), DECK, "turned", START)
    play(playthrough, "7-3", "7-2")  # the two open cards of column 7
    assert playthrough.entries[-1][1] != ""
    assert refusal(playthrough, UNDO) == "undo-turned"
    assert refusal(playthrough_of(undo="turned"), UNDO) == refusal(playthrough_of(), UNDO) == "nothing-to-undo"


def won(undo: Undo) -> Playthrough:
    for seed in range(20):
        dice = Dice(seed)
        playthrough = Playthrough(LUCAS, easy_deck(LUCAS, dice), undo, START)
        play_greedily(playthrough, dice)
        if playthrough.outcome == "solved":
            return playthrough
    raise AssertionError("no deal was won")


def stuck_log(by_a_turned_card: bool) -> tuple[list[Card], list[tuple[Ms, str]]]:
    which = game("forty-thieves")
    for seed in range(200):
        dice = Dice(seed)
        deck = hard_deck(which, dice)
        board = Board.deal(which, deck)
        log: list[tuple[Ms, str]] = []
        while board.outcome is None and len(log) < 300:
            move = greedy_move(board, dice)
            board.play(move)
            log.append((START + Ms(len(log)), str(move)))
        if board.outcome == "stuck" and board.last_turned == by_a_turned_card:
            return deck, log
    raise AssertionError("no deal got stuck like this")


@pytest.mark.parametrize("undo", get_args(Undo))
def test_a_win_is_final_under_all_rules_of_undo(undo: Undo) -> None:
    playthrough = won(undo)
    assert playthrough.progress.home == 104 and playthrough.progress.outcome == "solved"
    assert playthrough.progress.reached_at == playthrough.progress.at
    assert refusal(playthrough, UNDO) == refusal(playthrough, "draw") == "finished"


@pytest.mark.parametrize(
    ("undo", "by_a_turned_card", "outcome"),
    [
        ("none", True, "stuck"),
        ("none", False, "stuck"),
        ("turned", True, "stuck"),
        ("turned", False, ""),
        ("free", True, ""),
        ("free", False, ""),
    ],
)
def test_stuck_is_final_only_without_undo(undo: Undo, by_a_turned_card: bool, outcome: str) -> None:
    deck, log = stuck_log(by_a_turned_card)
    playthrough = fold(game("forty-thieves"), deck, undo, START, log)
    assert playthrough.progress.outcome == outcome
    if outcome:
        assert refusal(playthrough, UNDO) == "finished"
    else:
        playthrough.play(UNDO)
        assert playthrough.outcome == ""


@pytest.mark.parametrize("text", ["draw", "redeal", UNDO, "1-2", "W-F"])
def test_a_log_with_entries_after_the_end_is_refused(text: str) -> None:
    deck, log = stuck_log(by_a_turned_card=True)
    stuck = fold(game("forty-thieves"), deck, "none", START, log)
    assert stuck.progress.stock  # There are cards to draw, which would not help.
    for playthrough in (stuck, won("free")):
        with pytest.raises(Refused):
            playthrough.follow([(playthrough.at, text)])


@pytest.mark.parametrize("which", KINDS.values(), ids=lambda which: which.key)
def test_unconfirmed_progress_with_the_stored_time_is_the_replayed_progress(which: Game) -> None:
    dice = Dice(3)
    deck = easy_deck(which, dice)
    log = play_greedily(Playthrough(which, deck, "free", START), dice, entries=120)
    playthrough = Playthrough(which, deck, "free", START)
    for at, text in log:
        _, ahead = playthrough.play(text)
        confirm(playthrough, at, text)
        assert ahead.at == THEN and ahead.reached_at in {THEN, START, *(earlier for earlier, _ in log if earlier < at)}
        assert (
            replace(ahead, reached_at=ahead.reached_at or at, at=at, log_hash=playthrough.log_hash)
            == playthrough.progress
        )


def test_a_draw_after_an_undo_or_a_redeal_reveals_its_cards() -> None:
    playthrough = playthrough_of("little-forty")
    play(playthrough, "draw", UNDO, "draw")
    assert [turned for _, turned in playthrough.entries] == ["3H6C5S", "", "3H6C5S"]
    play(playthrough, *["draw"] * 21, "redeal", "draw")
    assert [turned for _, turned in playthrough.entries[-2:]] == ["", "3H6C5S"]
