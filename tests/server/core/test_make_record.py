"""The server's own results against the record: whatever happens in a race, its record is found to be true."""

import contextlib
from collections import defaultdict

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.record.race_record import Plain
from fortythieves.record.shape import ENDS
from fortythieves.rules.games import GAMES
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms
from fortythieves_server.core import decide, events
from fortythieves_server.core.evolve import begin
from fortythieves_server.core.finished_race import record_of
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.room_state import Race
from fortythieves_server.core.rule_context import Context
from tests.examples import examples
from tests.server.tables import CODE, MINUTE, SECOND, SERVER, Table, counting, nonce_of, racing
from tests.server.winnable import GAME, claimed
from tests.shared.make_records import won
from tests.shared.players import Dice, greedy_move

KEY = SERVER
PUBLIC = KEY.public_key().public_bytes_raw()


class Play:
    """A race at a table, its boards played by the rules that the server plays them by."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.playthroughs: dict[int, Playthrough] = {}
        self.logs: defaultdict[int, list[tuple[Ms, str]]] = defaultdict(list)

    @property
    def race(self) -> Race:
        return self.table.race

    def entry(self, seat: int, text: str) -> None:
        """Make an entry of a log if the server would take it."""
        table, race = self.table, self.race
        one = self.playthrough(seat)
        decide.check_may_move(table.room, seat, race.number, table.now)
        one.play(text)
        one.confirm(table.now)
        self.logs[seat].append((table.now, text))
        table.progress[seat] = one.progress

    def playthrough(self, seat: int) -> Playthrough:
        race = self.race
        if seat not in self.playthroughs:
            self.playthroughs[seat] = Playthrough(race.game, race.deck, race.settings.undo, race.starts_at or Ms(0))
        return self.playthroughs[seat]

    def record(self, race: Race | None = None) -> Plain:
        return race_record.sign(record_of(CODE, race or self.race, self.table.log, self.logs), KEY)


def holds(one: Plain) -> None:
    """The record is true, and is as it was after having been written and read."""
    wrong = [check for check in verify(race_record.read(race_record.packed(one)), PUBLIC) if not check.ok]
    assert wrong == []


def some_entry(play: Play, seat: int, dice: Dice) -> str:
    board = play.playthrough(seat).board
    if dice.happens(0.1) or not board.legal_moves:
        return "undo"
    return str(greedy_move(board, dice))


def act(play: Play, dice: Dice, calm: float) -> None:
    """Something happens: in a calm race a quick move, mostly."""
    table = play.table
    seat = dice.one_of([*table.race.racers, 1])
    table.wait(Ms(dice.below(int(4000 * (1 - calm)))))
    if dice.happens(0.85 + 0.14 * calm):
        play.entry(seat, some_entry(play, seat, dice))
        return
    match dice.below(7):
        case 0 | 1:
            table.do(seat, to_server.GiveUp(1))
        case 2:
            table.do(seat, to_server.TakeBack(1))
        case 3:
            table.do(seat, to_server.Leave(1))
        case 4:
            table.do(1, to_server.Kick(1, seat))
        case 5:
            table.join(f"late{len(table.log)}", bot=dice.happens(0.5))
        case 6:
            table.wait(20 * SECOND)


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


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(
    undo=st.sampled_from(["none", "turned", "free"]),
    seed=st.integers(0, 999_999),
    limit=st.sampled_from([60, 120, 300]),
)
def test_whatever_happens_in_a_race_its_record_is_true(game: str, undo: str, seed: int, limit: int) -> None:
    holds(played(game, undo, seed, limit).record())


def test_races_at_random_end_in_every_way_but_solved() -> None:
    ends = {racer["state"] for seed in range(20, 24) for racer in played("lucas", "none", seed, 300).record()["racers"]}
    assert ends >= set(ENDS) - {"solved"}


@pytest.mark.parametrize("game", ["lucas", "little-forty"])
def test_a_race_that_is_won_has_a_true_record(game: str) -> None:
    number, line = won(game)
    play = Play(racing(2, game=game, deal=number))
    for ms, text in line:
        play.table.now = (play.race.starts_at or Ms(0)) + ms
        play.entry(2, text)
    play.table.do(1, to_server.Leave(1))
    play.table.settle()
    one = play.record()
    assert [(racer["state"], racer["place"]) for racer in one["racers"]] == [("gave_up", None), ("solved", 1)]
    holds(one)


def test_an_earlier_race_of_the_room_has_its_own_record() -> None:
    play = Play(racing(2, late="join"))
    table = play.table
    table.wait(10 * SECOND)
    play.entry(1, "draw")
    late = table.join("dan", bot=True)
    for seat in (1, 2, late):
        table.do(seat, to_server.GiveUp(1))
    table.wait(20 * SECOND)
    table.settle()
    first, logs = table.race, dict(play.logs)
    table.do(1, to_server.Rematch(1, ""))
    table.do(1, to_server.Start(1))
    table.wait(MINUTE)
    table.do(2, to_server.GiveUp(1))
    one = record_of(CODE, table.room.past[1], table.log, logs)
    assert one == record_of(CODE, first, table.log, logs)
    assert [[name, seat] for _, name, seat in one["events"]] == [
        ["started_late", late],
        ["gave_up", 1],
        ["gave_up", 2],
        ["gave_up", late],
    ]
    assert [(racer["bot"], racer["late"]) for racer in one["racers"]] == [(False, False), (False, False), (True, True)]
    holds(race_record.sign(one, KEY))


def test_a_practice_race_has_the_secret_and_the_nonces_of_the_race_it_repeats() -> None:
    table = Table()
    again = events.Revealed("BCDFGH/3", "ab" * 32, {2: nonce_of(2), 7: nonce_of(7)})
    created = events.Created(CODE, Settings().changed({"deal": "BCDFGH/3", "seats": 1}), "cd" * 32, again)
    table.log, table.room = [(table.now, created)], begin(table.now, created)
    table.join("ann")
    table.ready(1)
    table.settle()
    table.now = table.race.starts_at or Ms(0)
    play = Play(table)
    play.entry(1, "draw")
    table.run_out()
    one = play.record()
    assert (one["practice"], one["secret"], one["number"]) == ("BCDFGH/3", "ab" * 32, None)
    assert one["nonces"] == [[2, nonce_of(2)], [7, nonce_of(7)]]
    holds(one)


def test_a_race_that_is_not_over_has_no_record() -> None:
    table = racing(2)
    with pytest.raises(ValueError, match="is not over"):
        record_of(CODE, table.race, table.log, {})


def test_the_settings_of_the_race_are_in_the_record_all_of_them() -> None:
    table = counting(1, seats=1, time_limit=90)
    table.run_out()
    one = record_of(CODE, table.race, table.log, {})
    assert one["settings"] == msgspec.to_builtins(Settings().changed({"seats": 1, "time_limit": 90}))
    holds(race_record.sign(one, KEY))


class Winnable(Table):
    """A table with deals that can really be won."""

    @property
    def context(self) -> Context:
        return super().context._replace(claim=claimed)


@pytest.mark.parametrize("leaves", [False, True])
def test_the_record_of_a_race_on_a_winnable_deal_proves_who_chose_it_and_that_it_could_be_won(*, leaves: bool) -> None:
    table = Winnable(game=GAME, deal="winnable")
    for guest in ("ann", "bob"):
        table.join(guest)
    table.ready(1, 2)
    table.settle()
    table.reveal(1, 2)
    if leaves:  # nothing is ever dealt
        table.do(1, to_server.Leave(1))
        table.do(2, to_server.Leave(1))
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
    table.do(2, to_server.Leave(1))
    made = played.record()
    assert made["racers"][0]["state"] == "solved"
    proof = {"stars": chosen.stars, "leaf": chosen.leaf, "path": [*chosen.path], "line": [*chosen.line]}
    assert made["winnable"] == proof
    holds(made)
