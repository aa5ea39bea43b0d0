"""A tournament follows from its room's log: random walks through its events."""

import contextlib
import random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.tournament.plan import PRESETS
from fortythieves_server.core import decide, evolve, views
from tests.examples import examples
from tests.server.merging import merged
from tests.server.tables import SECOND, Table, entered, room_view

DOINGS = get_args(to_server.Round.__annotations__["do"])


class Walk:
    """A tournament to which anything happens that can."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        self.table = table
        self.rng = rng
        self.shown = room_view(table.room)
        self.camera = views.Views()

    def step(self) -> None:
        act = self.rng.choice([self.time_passes] * 6 + [self.play] * 3 + [self.ask] * 3 + [self.come] + [self.go])
        with contextlib.suppress(Refused):
            act()
        for _ in range(20):
            if not self.table.tick():
                break
        else:
            raise AssertionError("the clock asks again and again")
        self.look()

    def look(self) -> None:
        """A series of views, and the patches between them, equal a new view."""
        view = self.camera.of(self.table.room)[False]
        assert view == room_view(self.table.room)
        assert merged(merged({}, self.shown), views.merge_patch(self.shown, view)) == merged({}, view)
        self.shown = view

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
        anybody = self.rng.randint(1, self.table.room.seats_given)
        request: to_server.Command = self.rng.choice(
            [
                to_server.Round(1, self.rng.choice(DOINGS), "because"),
                to_server.Judge(1, anybody, self.rng.random() < 0.6, "because"),
                to_server.Withdraw(1, anybody),
                to_server.CheckIn(1, anybody),
                to_server.Registration(1, self.rng.random() < 0.5),
                to_server.ChangePlan(1, {"check_in": self.rng.choice([0, 30]), "most": self.rng.choice([None, 4])}),
                to_server.HalfBye(1, anybody, self.rng.randint(1, 6), self.rng.random() < 0.7),
                to_server.CoHost(1, anybody, self.rng.random() < 0.5),
                to_server.Timer(1, self.rng.choice([None, self.table.now + 30 * SECOND])),
                to_server.ChangePlan(1, {"pause": self.rng.randint(20, 90)}),
                to_server.ChangePlan(1, {"rounds": self.rng.randint(1, 6)}),
                to_server.ChangeSettings(1, {"watch": "progress"}),
                to_server.Kick(1, anybody),
            ]
        )
        self.table.do(self.table.room.host or 1, request)

    def come(self) -> None:
        self.table.join(f"guest {self.rng.randint(1, 9)}")

    def go(self) -> None:
        if not self.table.room.people:
            return
        seat = self.rng.choice(list(self.table.room.people))
        if self.rng.random() < 0.5:
            self.table.hang_up(seat)
        else:
            request = self.rng.choice([to_server.Leave(1), to_server.Enter(1, False), to_server.Enter(1, True)])
            self.table.do(seat, request)


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
            walk.table.do(1, to_server.Team(1, seat, f"Team {seat % 2}"))
    walk.table.do(1, to_server.Round(1, "start"))
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
    # A double elimination is shorter without a second final, and if neither of a pair starts.
    assert len(played) == planned or (PRESETS[preset]["format"] == "double" and len(played) < planned)
    assert {row.seat for row in table.tournament.standings} == set(range(2, people + 2))
