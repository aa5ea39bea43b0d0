"""A tournament follows from its room's log: random walks through its events."""

import contextlib
import json
import random
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server as say
from fortythieves.times import Ms
from fortythieves.tournament import standings
from fortythieves_server.core import decide, events, evolve, views
from fortythieves_server.core.tournament import changes, still_holds, taken_back
from tests.examples import examples
from tests.server.merging import merged
from tests.server.tables import SECOND, Table, entered

PRESETS = json.loads((files("fortythieves.tournament") / "presets.json").read_text("utf-8"))
DOINGS = get_args(say.Round.__annotations__["do"])


class Walk:
    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.shown = table.view()
        self.camera = views.Views()

    def step(self) -> None:
        act = self.rng.choice([self.time_passes] * 6 + [self.play] * 3 + [self.ask] * 3 + [self.come] + [self.go])
        with contextlib.suppress(Refused):
            act()
        self.table.settle()
        self.look()

    def look(self) -> None:
        """A series of views, and the patches between them, equal a new view. Its creator and co-hosts have the room."""
        room = self.table.room
        view = self.camera.of(room)[False]
        assert view == self.table.view()
        assert merged(merged({}, self.shown), views.merge_patch(self.shown, view)) == merged({}, view)
        self.shown = view
        creator = room.seat_of("host")
        if creator is not None and room.people[creator].here:
            assert room.host == creator
        assert room.host in {None, creator, *room.co_hosts}
        assert room.creator == "host" and "host" not in room.banned

    def time_passes(self) -> None:
        at = decide.next_due(self.table.room, self.table.progress)
        if at is not None and self.rng.random() < 0.8:
            self.table.now = max(self.table.now, at)
        else:
            self.table.wait(self.rng.choice([1, 16, 61, 600]) * SECOND)

    def play(self) -> None:
        for seat in self.table.race.active if self.table.race.running(self.table.now) else []:
            if self.rng.random() < 0.7:
                self.table.moves(seat, to=self.rng.randint(1, 3), home=self.rng.randint(0, 3))

    def ask(self) -> None:
        """A request, mostly of the host. If it can be taken back, only its audit entry is left after that."""
        table, rng = self.table, self.rng
        table.wait(Ms(1))
        before, last = table.tournament, table.tournament.last
        anybody, other = (rng.randint(1, table.room.seats_given) for _ in range(2))
        pair = rng.choice(last.pairs) if last and last.pairs else (anybody, other)
        opponent = next((sum(pair) - anybody for pair in (last.pairs if last else ()) if anybody in pair), 0)
        given = zip(pair, rng.choice([(1, 0), (0, 1), (0.5, 0.5), (0, 0)]), strict=True)
        points = ((anybody, rng.choice([None, 7.5])),) if before.plan.format == "points" else tuple(given)
        requests: list[say.Command] = [
            *(say.Round(1, rng.choice(DOINGS), "because"), say.Timer(1, rng.choice([None, table.now + 30 * SECOND]))),
            *(say.Judge(1, anybody, rng.random() < 0.6, "because"), say.Withdraw(1, anybody), say.Kick(1, anybody)),
            *(say.CheckIn(1, anybody), say.Registration(1, rng.random() < 0.5)),
            *(say.CoHost(1, anybody, rng.random() < 0.5), say.HandOver(1, anybody), say.Lock(1, rng.random() < 0.2)),
            say.HalfBye(1, anybody, rng.randint(1, 6), rng.random() < 0.7),
            say.Team(1, anybody, rng.choice(["Red", "Blue", ""]), rng.randint(0, 2)),
            say.ChangePlan(1, {"check_in": rng.choice([0, 30]), "most": rng.choice([None, 4])}),
            *(say.ChangePlan(1, {"pause": rng.randint(20, 90)}), say.ChangePlan(1, {"rounds": rng.randint(1, 6)})),
            *(say.ChangeSettings(1, {"watch": "progress"}), say.Announce(1, rng.choice(["", "One.", "Two."]))),
            say.RenameEntrant(1, anybody, f"Name {rng.randint(0, 20)}"),
            say.Correct(1, last.number if last else 1, points, "because"),
            *(say.ReplayMatch(1, anybody, "because"), say.Swap(1, anybody, other, opponent)),
        ]
        seat = rng.choice([table.room.host or 1] * 4 + [other])
        decided = table.do(seat, rng.choice(requests))
        decided += table.settle()
        has_raced = before.races != table.tournament.races or any(isinstance(one, events.Finished) for one in decided)
        if table.undoable == table.now and not has_raced and rng.random() < 0.5:
            table.undo(seat)
            table.settle()
            after = table.tournament
            for name in ("plan", "entrants", "rounds", "paused", "drawn", "announcement"):
                assert getattr(after, name) == getattr(before, name)
            assert before.plan.by_timer or after.next_at == before.next_at  # the pause may begin anew

    def come(self) -> None:
        self.table.join(self.rng.choice(["host", *(f"guest {n}" for n in range(1, 10))]))

    def go(self) -> None:
        seat = self.rng.choice([*self.table.room.people, 0])
        if seat and self.rng.random() < 0.5:
            self.table.hang_up(seat)
        else:
            self.table.do(seat, self.rng.choice([say.Leave(1), say.Enter(1, False), say.Enter(1, True)]))


@pytest.mark.parametrize("preset", PRESETS)
@examples(10)
@given(seed=st.integers(0, 2**32), people=st.integers(0, 7))
def test_the_replayed_log_of_a_random_tournament_is_the_live_one(preset: str, seed: int, people: int) -> None:
    plan: dict[str, Any] = {**PRESETS[preset]}
    walk = Walk(entered(people, plan, countdown=3, time_limit=60), random.Random(seed))
    for _ in range(60):
        walk.step()
    room = walk.table.room
    again = evolve.replay(walk.table.log)
    assert again == room
    held, replayed = room.tournament, again.tournament
    assert held is not None and replayed is not None
    assert standings.misdrawn(held.plan, list(held.rounds.values())) is None
    assert replayed.standings == held.standings
    assert replayed.next_at == held.next_at
    counted = [number for numbers in held.races.values() for number in numbers]
    assert len(set(counted)) == len(counted), "a race counts for one round"
    raced = {**room.past, room.race.number: room.race}
    assert all(raced[number].over_at is not None for number in counted)
    if held.drawn is None and not held.over and not held.paused and held.rounds and held.plan.by_timer:
        assert held.next_at is not None or held.timed, "it goes on"


@pytest.mark.parametrize("preset", [name for name, changes in PRESETS.items() if changes["format"] != "arena"])
@pytest.mark.parametrize("people", [2, 3, 4, 5, 8, 13])
def test_an_undisturbed_tournament_ends_as_planned(preset: str, people: int) -> None:
    walk = Walk(
        entered(people, {**PRESETS[preset], "by_timer": True}, countdown=3, time_limit=60), random.Random(people)
    )
    if walk.table.tournament.plan.team_size:
        for seat in range(2, people + 2):
            walk.table.do(1, say.Team(1, seat, f"Team {seat % 2}"))
    walk.table.do(1, say.Round(1, "start"))
    table = walk.table
    for _ in range(200):
        walk.time_passes()
        walk.play()
        table.settle()
        if table.tournament.over:
            break
    assert table.tournament.over
    played = [number for number, done in table.tournament.rounds.items() if done.races]
    planned = table.tournament.plan.rounds_of(people)
    assert table.tournament_view()["rounds_planned"] == max(planned, len(table.tournament.rounds))
    # A double elimination is shorter without a second final, and if neither of a pair starts.
    assert len(played) == planned or (PRESETS[preset]["format"] == "double" and len(played) < planned)
    assert {row.seat for row in table.tournament.standings} == set(range(2, people + 2))
    rounds = table.tournament.rounds
    assert {n: [*done.lost] for n, done in rounds.items() if done.lost} == {
        int(n): row["lost"] for n, row in table.tournament_view()["rounds"].items() if "lost" in row
    }


class Inner(msgspec.Struct, frozen=True):
    name: str
    points: tuple[int, ...] = ()


class Outer(msgspec.Struct, frozen=True):
    on: bool = False
    of: dict[int, Inner] = {}


OUTER = st.builds(
    Outer,
    st.booleans(),
    st.dictionaries(st.integers(0, 3), st.builds(Inner, st.sampled_from("ab"), st.tuples(st.integers(0, 2)))),
)


@given(OUTER, OUTER)
@examples(60)
def test_undone_changes_restore_the_first_value(before: Outer, after: Outer) -> None:
    value = after
    for change in changes(before, after):
        assert still_holds(value, change)
        value = taken_back(value, change)
    assert value == before
