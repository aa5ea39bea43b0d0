"""A race that is over: its record, its result as text, and hints for the host."""

import contextlib
from collections import defaultdict
from itertools import chain, repeat
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.record.race_record import Plain, Racer
from fortythieves.rules.games import game
from fortythieves.rules.race_rules import Ending
from fortythieves.times import Ms
from fortythieves_server.core import decide, events, evolve, finished_race
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.rule_context import Context
from tests.examples import examples
from tests.server.tables import CODE, MINUTE, SECOND, SERVER, Table, counting, racing
from tests.server.winnable import GAME, claimed
from tests.shared.kinds import KINDS
from tests.shared.players import Dice, greedy_move

KEY = SERVER
PUBLIC = KEY.public_key().public_bytes_raw()


class Play:
    """A race at a table, its boards played by the rules that the server plays them by."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.playthroughs: dict[int, Playthrough] = {}
        self.logs: defaultdict[int, list[tuple[Ms, str]]] = defaultdict(list)

    def entry(self, seat: int, text: str) -> None:
        table, one = self.table, self.playthrough(seat)
        decide.check_may_move(table.room, seat, table.race.number, table.now)
        one.play(text)
        one.confirm(table.now, "")
        self.logs[seat].append((table.now, text))
        table.progress[seat] = one.progress

    def playthrough(self, seat: int) -> Playthrough:
        race = self.table.race
        if seat not in self.playthroughs:
            self.playthroughs[seat] = Playthrough(race.game, race.deck, race.settings.undo, race.starts_at or Ms(0))
        return self.playthroughs[seat]

    def record(self) -> Plain:
        return race_record.sign(finished_race.record_of(CODE, self.table.race, self.table.log, self.logs), KEY)


def holds(one: Plain) -> None:
    wrong = [check for check in verify(race_record.read(race_record.packed(one)), PUBLIC) if not check.ok]
    assert wrong == []


def act(play: Play, dice: Dice, calm: float) -> None:
    table = play.table
    seat = dice.one_of([*table.race.racers, 1])
    table.wait(Ms(dice.below(int(4000 * (1 - calm)))))
    if dice.happens(0.85 + 0.14 * calm):
        board = play.playthrough(seat).board
        play.entry(seat, "undo" if dice.happens(0.1) or not board.legal_moves else str(greedy_move(board, dice)))
        return
    match dice.below(7):
        case 5:
            table.join(f"late{len(table.log)}", bot=dice.happens(0.5))
        case 6:
            table.wait(20 * SECOND)
        case n:
            requests = [say.GiveUp(1), say.GiveUp(1), say.TakeBack(1), say.Leave(1), say.Kick(1, seat)]
            table.do(1 if n == 4 else seat, requests[n])


def played(game: str, undo: str, seed: int, time_limit: int) -> Play:
    """A race with many events, and a clock that is seldom read."""
    dice = Dice(seed)
    deal = "secret" if seed % 3 else str(32_001 + seed)
    table = counting(3, game=game, undo=undo, time_limit=time_limit, late="join", deal=deal)
    play = Play(table)
    if seed % 2:
        table.now = table.race.starts_at or Ms(0)
    calm = dice.one_of([0, 0.5, 0.95])
    while table.race.over_at is None:
        with contextlib.suppress(Refused):
            act(play, dice, calm)
        if dice.happens(0.3) or table.now > (table.race.ends_at or Ms(0)) + MINUTE:
            table.settle()
    return play


@pytest.mark.parametrize("game", KINDS)
@examples(4)
@given(
    undo=st.sampled_from(["none", "turned", "free"]),
    seed=st.integers(0, 999_999),
    limit=st.sampled_from([60, 120, 300]),
)
def test_the_record_of_a_random_race_is_valid(game: str, undo: str, seed: int, limit: int) -> None:
    holds(played(game, undo, seed, limit).record())


def test_random_races_end_in_all_ways_but_a_win() -> None:
    ends = {racer["state"] for seed in (20, 21) for racer in played("lucas", "none", seed, 300).record()["racers"]}
    assert ends >= set(get_args(Ending)) - {"solved"}


def test_an_earlier_race_has_its_own_record_and_one_that_is_not_over_has_none() -> None:
    play = Play(racing(2, late="join"))
    table = play.table
    table.wait(10 * SECOND)
    play.entry(1, "draw")
    late = table.join("dan", bot=True)
    for seat in (1, 2, late):
        table.do(seat, say.GiveUp(1))
    table.after(20 * SECOND)
    first, logs = table.race, dict(play.logs)
    table.do(1, say.Rematch(1, ""), say.Start(1))
    table.wait(MINUTE)
    table.do(2, say.GiveUp(1))
    one = finished_race.record_of(CODE, table.room.past[1], table.log, logs)
    assert one == finished_race.record_of(CODE, first, table.log, logs)
    happened = [(name, seat) for _, name, seat in one["events"]]
    assert happened == [("started_late", late), *(("gave_up", seat) for seat in (1, 2, late))]
    assert [(racer["bot"], racer["late"]) for racer in one["racers"]] == [(False, False), (False, False), (True, True)]
    holds(race_record.sign(one, KEY))
    table = racing(2)
    with pytest.raises(ValueError, match="is not over"):
        finished_race.record_of(CODE, table.race, table.log, {})


class Winnable(Table):
    """A table with deals that can really be won."""

    @property
    def context(self) -> Context:
        return super().context._replace(claim=claimed)


@pytest.mark.parametrize("leaves", [False, True])
def test_the_record_of_a_winnable_deal_proves_its_choice_and_a_win(*, leaves: bool) -> None:
    table = Winnable(game=GAME, deal="winnable")
    for guest in ("ann", "bob"):
        table.join(guest)
    table.ready(1, 2)
    table.settle()
    table.reveal(1, 2)
    if leaves:  # nothing is ever dealt
        table.do(1, say.Leave(1))
        table.do(2, say.Leave(1))
        holds(Play(table).record())
        return
    table.settle()
    table.now = table.race.starts_at or Ms(0)
    played, chosen = Play(table), table.race.chosen
    assert chosen is not None
    for text in chosen.line:
        table.wait(SECOND)
        played.entry(1, text)
    table.settle()
    table.do(2, say.Leave(1))
    made = played.record()
    assert made["racers"][0]["state"] == "solved"
    proof = {"stars": chosen.stars, "leaf": chosen.leaf, "path": [*chosen.path], "line": [*chosen.line]}
    assert made["winnable"] == proof
    holds(made)


START = Ms(1_000_000)


def racer(seat: int, name: str, state: Ending = "gave_up", home: int = 57, place: int | None = None) -> Racer:
    return Racer(seat, name, False, False, state, START + Ms(201_400), home, 90, START, place)


def plain(text: str) -> str:
    return text.replace("\N{FIRST STRONG ISOLATE}", "").replace("\N{POP DIRECTIONAL ISOLATE}", "")


def test_results_are_in_the_order_of_the_places_with_times_as_on_the_page() -> None:
    told = finished_race.result_rows(
        [racer(1, "Cem", "did_not_start", 0), racer(2, "Bob", place=2), racer(3, "Ann", "solved", 104, 1)], START
    )
    assert plain(finished_race.title("Lucas", told)) == "Lucas: Ann 3:21.4, Bob 57/104, +1"
    assert (
        plain(finished_race.description(told))
        == "1. Ann 3:21.4 \N{MIDDLE DOT} 2. Bob 57/104 \N{MIDDLE DOT} Cem no-show"
    )
    told = finished_race.result_rows([racer(seat, f"P{seat}", place=seat, home=1) for seat in range(1, 9)], START)
    assert plain(finished_race.title("Lucas", told)) == "Lucas: P1 1/104, P2 1/104, +6"
    assert plain(finished_race.description(told)).endswith(f"{finished_race.NAMED}. P5 1/104 \N{MIDDLE DOT} +3")
    assert [finished_race.time_text(Ms(ms)) for ms in (0, 201_499, 3_600_000)] == ["0:00.0", "3:21.4", "1:00:00.0"]


#: Hashes of addresses.
SCHOOL, HOME, CAFE = "5c", "40", "ca"
LUCAS = game("lucas")


def started(*addresses: str, bots: tuple[int, ...] = ()) -> Table:
    table = Table(auto_start=False, late="join")
    for seat, address in enumerate(addresses, start=1):
        table.join(f"guest {seat}", address, bot=seat in bots)
    table.do(1, say.Start(1))
    table.now = table.race.starts_at or Ms(0)
    return table


@pytest.mark.parametrize(
    ("addresses", "bots", "groups"),
    [
        ((SCHOOL, HOME, SCHOOL, CAFE, HOME, SCHOOL), (), [(1, 3, 6), (2, 5)]),
        ((SCHOOL, "", ""), (3,), []),  # house bots have no address
        ((SCHOOL, SCHOOL), (2,), [(1, 2)]),  # bots of clients have one
    ],
)
def test_seats_of_one_address_are_a_group(
    addresses: tuple[str, ...], bots: tuple[int, ...], groups: list[tuple[int, ...]]
) -> None:
    table = started(*addresses, bots=bots)
    table.run_out()
    table.join("guest 2", CAFE)
    assert finished_race.of_one_address(table.race) == groups, "addresses after the race do not count"
    again = evolve.replay([(at, events.decode(events.encode(event))) for at, event in table.log])
    assert finished_race.of_one_address(again.race) == groups


def test_an_address_counts_after_a_part_of_the_race() -> None:
    table = started(SCHOOL, HOME)
    table.hang_up(2)
    table.join("guest 2", SCHOOL)
    table.join("guest 2", CAFE)
    table.join("late", CAFE)
    assert finished_race.of_one_address(table.race) == [(1, 2), (2, 3)]


DRAWS = ["draw"] * LUCAS.stock


@pytest.mark.parametrize(
    ("entries", "stands_out"),
    [
        (DRAWS, True),
        (DRAWS[1:], False),
        (["W-F"] * finished_race.HARDLY_ANY + DRAWS, True),
        (["W-F"] * (finished_race.HARDLY_ANY + 1) + DRAWS, False),
        (["3-F"] * (finished_race.HARDLY_ANY + 1) + DRAWS, False),
        ([*DRAWS[1:], *["3-F"] * (finished_race.HARDLY_ANY + 1), "draw"], False),
        ([*DRAWS, *["3-F"] * 100], True),
        # Moves that cost nothing, as many as a log can have.
        (["3-7", "7-3"] * 9_000 + DRAWS, True),
        (["3-7", "undo"] * 9_000 + DRAWS, True),
        (["3-F", "undo"] * 9_000 + DRAWS, True),
        (["draw", "undo"] * LUCAS.stock, False),
        ([*chain(*repeat(["draw", "undo"], 3)), *DRAWS], True),
        (["undo"], False),
        ([], False),
    ],
)
def test_a_seat_that_drew_the_stock_and_had_hardly_a_card_home_is_found(entries: list[str], stands_out: bool) -> None:
    assert finished_race.only_drew(entries, LUCAS) == stands_out


def test_a_column_that_the_stock_fills_leaves_fewer_cards_to_draw() -> None:
    congress = game("congress")
    assert finished_race.only_drew(["4-7", *["draw"] * (congress.stock - 1)], congress)
    assert not finished_race.only_drew(["4-7", *["draw"] * (congress.stock - 2)], congress)
