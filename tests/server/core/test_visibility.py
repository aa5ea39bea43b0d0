"""A spectator sees a prefix of each log, and nothing that could help an active racer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves.rules.games import GAMES, Game
from fortythieves.rules.move_notation import STOCK
from fortythieves.rules.race_rules import UNDO, why_no_undo
from fortythieves.rules.settings import Settings, Undo
from fortythieves.times import Ms
from fortythieves_server.core import visibility
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.visibility import NOTHING, Gallery, Ledger, Shown, is_narrower, shown
from tests.examples import examples
from tests.shared.players import Dice, any_deck, easy_deck, greedy_move
from tests.shared.seen import seen_after_each

START = Ms(1_795_258_800_000)
POLICIES = ("progress", "frontier", "delayed", "open")


def a_race(game: Game, dice: Dice, racers: int, undo: Undo = "turned") -> dict[int, Playthrough]:
    """Boards of one deal with different progress. Some racers pad their logs with moves that they undo."""
    deck = easy_deck(game, dice) if dice.happens(0.5) else any_deck(dice)
    playthroughs = {seat: Playthrough(game, deck, undo, START) for seat in range(1, racers + 1)}
    for playthrough in playthroughs.values():
        for k in range(dice.below(150)):
            play_on(playthrough, dice, START + Ms(1) + Ms(900 * k))
    return playthroughs


def play_on(playthrough: Playthrough, dice: Dice, at: Ms) -> None:
    moves = list(playthrough.board.legal_moves)
    if playthrough.outcome or not moves:
        return
    if not why_no_undo(playthrough.board, playthrough.undo) and dice.happens(0.15):
        playthrough.play(UNDO)
    else:
        playthrough.play(str(greedy_move(playthrough.board, dice) if dice.happens(0.6) else dice.one_of(moves)))
    playthrough.confirm(at, "")


def ledger_of(playthrough: Playthrough) -> Ledger:
    ledger = Ledger(playthrough.board.game)
    for (text, turned), at in zip(playthrough.entries, playthrough.times, strict=True):
        ledger.add(text, turned, at)
    return ledger


games = st.sampled_from(list(GAMES.values()))
seeds = st.integers(0, 2**32)


@given(games, seeds, st.integers(1, 5), st.sampled_from(["none", "turned", "free"]), st.data())
@examples(80)
def test_each_shown_move_was_made_with_fewer_cards_than_each_active_racer_knows(
    game: Game, seed: int, racers: int, undo: Undo, data: st.DataObject
) -> None:
    playthroughs = a_race(game, Dice(seed), racers, undo)
    active = data.draw(st.sets(st.sampled_from(sorted(playthroughs)), min_size=1))
    ledgers = {seat: ledger_of(playthrough) for seat, playthrough in playthroughs.items()}
    now = shown(Settings(game=game.key, undo=undo), ledgers, active, START, START + Ms(10**6))
    seen = {seat: seen_after_each(game, [text for text, _ in playthroughs[seat].entries]) for seat in playthroughs}
    known = set.intersection(*(seen[seat][-1] for seat in active))
    for seat, n in now.entries.items():
        # The racer who made this move knew `seen[seat][at]`. Each active racer has left that state for good.
        assert all(seen[seat][at] < seen[one][-1] for at in range(n) for one in active)
        assert seen[seat][n] <= known
        if undo == "free":
            assert n == 0
        else:
            # It is the last reveal before a card that is not known to all.
            later = next((cards for cards in seen[seat][n:] if cards != seen[seat][n]), None)
            assert later is None or not later <= known


@given(games, seeds, st.sampled_from(POLICIES), st.integers(10, 300))
@examples(40)
def test_the_updates_of_a_gallery_equal_its_snapshot(game: Game, seed: int, policy: str, delay: int) -> None:
    dice = Dice(seed)
    rules = Settings().changed({"game": game.key, "watch": policy, "delay": delay})
    deck = easy_deck(game, dice)
    playthroughs = {seat: Playthrough(game, deck, "turned", START) for seat in (1, 2, 3)}
    gallery, now, active = Gallery(1, playthroughs[1].start, START, game), START, {1, 2, 3}
    for seat in playthroughs:
        gallery.open(seat)
    watcher = Watcher()
    for _ in range(120):
        seat = dice.one_of(sorted(playthroughs))
        before = len(playthroughs[seat].entries)
        now += Ms(dice.below(4000))
        if seat in active:
            play_on(playthroughs[seat], dice, now)
        for n in range(before, len(playthroughs[seat].entries)):
            gallery.add(seat, *playthroughs[seat].entries[n], playthroughs[seat].times[n])
        if dice.happens(0.02):
            active.discard(seat)
        if dice.happens(0.4):
            watcher.hear(gallery.updates(rules, active, now))
            at_once = shown(rules, {s: ledger_of(t) for s, t in playthroughs.items()}, active, START, now)
            assert watcher.start == (playthroughs[1].start if at_once.start else None)
            assert watcher.entries == {s: playthroughs[s].entries[:n] for s, n in at_once.entries.items()}
            late = Watcher()
            late.hear(list(gallery.snapshot(rules, active)))
            assert (late.start, late.entries) == (watcher.start, watcher.entries)


class Watcher:
    def __init__(self) -> None:
        self.start: Any = None
        self.entries: dict[int, list[tuple[str, str]]] = {}

    def hear(self, messages: list[to_client.Message]) -> None:
        for message in messages:
            match message:
                case to_client.Gallery(_, _, start, logs):
                    self.start = start
                    self.entries = {seat: list(entries) for seat, entries in logs}
                case to_client.Shown(_, logs):
                    for seat, n, entries in logs:
                        assert len(self.entries[seat]) == n
                        self.entries[seat] += entries


def ledgers_at(*times: Ms) -> dict[int, Ledger]:
    """Two racers: one has drawn at these times, the other has no entry."""
    drawn, idle = Ledger(GAMES["lucas"]), Ledger(GAMES["lucas"])
    for at in times:
        drawn.add("draw", "TH", at)
    return {1: drawn, 2: idle}


ALL = {1: 2, 2: 0}


@pytest.mark.parametrize(
    ("policy", "active", "after", "expected"),
    [
        ({"watch": "progress"}, {1, 2}, 10**6, NOTHING),
        ({"watch": "open"}, {1, 2}, 9_000, Shown(True, ALL)),
        ({"watch": "delayed", "delay": 30}, {1, 2}, 29_999, NOTHING),
        ({"watch": "delayed", "delay": 30}, {1, 2}, 34_999, Shown(True, {1: 0, 2: 0})),
        ({"watch": "delayed", "delay": 30}, {1, 2}, 35_000, Shown(True, {1: 1, 2: 0})),
        ({"watch": "frontier"}, {1, 2}, 9_000, Shown(True, {1: 0, 2: 0})),
        ({"watch": "frontier"}, {1}, 9_000, Shown(True, ALL)),
        ({"late": "join"}, {1}, 9_000, Shown(True, {1: 0, 2: 0})),
        ({"undo": "free"}, {1}, 9_000, Shown(True, {1: 0, 2: 0})),
        *(({"watch": watch}, set(), 9_000, Shown(True, ALL)) for watch in POLICIES),  # after the race
    ],
)
def test_each_policy_shows_a_prefix(policy: dict[str, Any], active: set[int], after: int, expected: Shown) -> None:
    ledgers = ledgers_at(START + Ms(5_000), START + Ms(9_000))
    assert shown(Settings().changed(policy), ledgers, active, START, START + Ms(after)) == expected


def test_a_delayed_gallery_is_empty_in_the_first_seconds_and_knows_its_next_change() -> None:
    gallery = Gallery(1, ["AC"], START, GAMES["lucas"])
    gallery.add(1, "draw", "TH", START + Ms(100))
    rules = Settings().changed({"watch": "delayed", "delay": 30})
    assert gallery.updates(rules, {1}, START + Ms(29_999)) == [to_client.Gallery(1, "delayed", None, [])]
    [whole] = gallery.updates(rules, {1}, START + Ms(30_000))
    assert whole == to_client.Gallery(1, "delayed", ["AC"], [(1, [])])
    rules = Settings().changed({"watch": "delayed", "delay": 30})
    gallery = Gallery(1, ["AC"], START, GAMES["lucas"])
    gallery.add(1, "draw", "TH", START + Ms(5_000))
    for after in (30_000, 35_000):
        assert gallery.next_change(rules) == START + Ms(after)
        gallery.updates(rules, {1}, START + Ms(after))
    assert gallery.next_change(rules) is None


def test_cards_that_a_redeal_shows_again_are_not_new() -> None:
    ledger = Ledger(GAMES["lucas"])
    for text, turned in (("draw", "AS2S"), ("redeal", ""), ("draw", "AS2S"), ("3-4", "KH")):
        ledger.add(text, turned, START)
    assert [(reveal.pile, reveal.number) for reveal in ledger.reveals] == [(STOCK, 2), (3, 1)]


def test_policies_are_ordered_by_width() -> None:
    order: list[dict[str, Any]] = [
        {"watch": "open"},
        *({"watch": "delayed", "delay": d} for d in (10, 60)),
        *({"watch": w} for w in ("frontier", "progress")),
    ]
    policies = [Settings().changed(policy) for policy in order]
    for wide, policy in enumerate(policies):
        for narrow, other in enumerate(policies):
            assert is_narrower(other, policy) == (narrow >= wide)


def test_a_history_is_bounded_to_the_leaders_and_some_points() -> None:
    gallery = Gallery(1, ["TH"], Ms(1_000), GAMES["lucas"])
    assert gallery.history() == []
    for seat in range(1, 600):
        for k in range(seat):
            gallery.add_home(seat, k % 100, Ms(2_000 + 10 * k))
    [history] = gallery.history()
    assert isinstance(history, to_client.History) and len(history.rows) == visibility.MOST_LINES
    assert len(encode(history)) < 25_000
    for seat, points in history.rows:
        assert points[0] == (Ms(1_000), 0) and points[-1] == (Ms(1_000 + 10 * (seat - 1)), (seat - 1) % 100)
        assert len(points) <= visibility.MOST_POINTS and sorted(points) == list(points)
    assert {points[-1][1] for _, points in history.rows} >= {99, 98}


def test_a_long_gallery_is_sent_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = to_client.Shown(1, [(600, 0, [("10-12", "THTHTH")] * visibility.PART)])
    assert len(encode(longest)) < 200_000
    monkeypatch.setattr(visibility, "PART", 10)
    gallery = Gallery(1, ["TH"], Ms(0), GAMES["lucas"])
    for seat, entries in ((1, 4), (2, 25), (3, 0), (4, 3)):
        gallery.open(seat)
        for n in range(entries):
            gallery.add(seat, "draw", "TH", Ms(n))
    rules = Settings(watch="open")
    messages = gallery.updates(rules, [1], Ms(0))
    sizes = [len(entries) for message in messages for *_, entries in message.logs]  # type: ignore[attr-defined]
    assert sizes == [4, 6, 0, 0, 10, 9, 1, 2] and len(messages) == 4
    watcher, late = Watcher(), Watcher()
    watcher.hear(messages)
    for n in range(25):
        gallery.add(3, "draw", "TH", Ms(n))
    whole = gallery.snapshot(rules, [1])
    news = gallery.updates(rules, [1], Ms(0))
    assert len(news) == 3
    watcher.hear(news)
    # The snapshot has no newer entries, though most of it is made only now.
    late.hear(list(whole))
    late.hear(news)
    assert watcher.entries == late.entries and [len(log) for log in watcher.entries.values()] == [4, 25, 25, 3]
