"""A circle: its members, its leader, and the scores of its table."""

from typing import Any

import msgspec

from fortythieves.protocol import to_server as say
from fortythieves.rules.ranking import Result
from fortythieves.solver.day import DAY, begins_at, day_of
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_circle, events, evolve
from fortythieves_server.core.challenge import Challenge, Try
from fortythieves_server.core.circle import MEMBERS, PLACES, Circle
from tests.refusals import refusal
from tests.server.core.test_decide_challenge import as_stored
from tests.server.tables import NOON, Table, over, racing


class Friends:
    """A circle that Ann has founded."""

    def __init__(self, *others: str) -> None:
        self.room = Table()
        self.room.now = NOON
        created = decide_circle.founded("ann", say.Found(1, "Friday", "Ann", 7), NOON)
        created = as_stored(msgspec.structs.replace(created, code="CRCLNM", secret="0" * 64))
        self.room.log, self.room.room = [(NOON, created)], evolve.begin(NOON, created)
        for guest in others:
            self.ask(guest, "join")

    def ask(self, guest: str, do: Any, number: int = 0, name: str = "") -> None:
        request = say.Membership(1, do, number, name or guest.title(), 5)
        self.room.ask(lambda room, context: decide_circle.membership(room, guest, request, context, ""))

    def no(self, guest: str, do: Any, number: int = 0) -> str:
        return refusal(self.ask, guest, do, number)

    @property
    def circle(self) -> Circle:
        assert self.room.room.circle is not None
        return self.room.room.circle

    def names(self) -> list[str]:
        return [one.name for one in self.circle.here.values()]

    def sees(self, guest: str) -> dict[str, Any]:
        found: dict[str, Any] = self.room.view(racing=self.circle.number_of(guest) is None)["circle"]
        return found

    def score(self, kind: events.ScoreKind, key: str, **homes: int) -> None:
        self.room.ask(lambda room, context: decide_circle.score(room, kind, key, contest(**homes), context.now))

    def rows(self) -> list[Any]:
        return [row[3] for row in self.sees("ann")["scores"]]


def contest(**homes: int) -> Challenge:
    """A challenge that is over, with the cards home of each guest."""
    tries = {
        n: Try(guest, guest, 0, "TRYAAA", "", Result("gave_up", Ms(9_000), home, 5, Ms(8_000)))
        for n, (guest, home) in enumerate(homes.items(), start=2)
    }
    return Challenge(events.Opened(NOON), tries, closed=True)


def test_a_guest_joins_by_the_link_leaves_and_comes_back_as_the_same_member() -> None:
    friends = Friends("bob", "cem")
    assert friends.names() == ["Ann", "Bob", "Cem"]
    friends.ask("bob", "join")
    friends.ask("bob", "leave")
    assert friends.names() == ["Ann", "Cem"]
    assert friends.no("bob", "leave") == "not-member"
    friends.ask("bob", "join", name="Bobby")
    assert friends.circle.numbers["bob"] == 2 and friends.names() == ["Ann", "Bobby", "Cem"]
    assert evolve.replay(friends.room.log) == friends.room.room


def test_names_in_a_circle_are_clean_and_distinct_and_it_has_a_limit() -> None:
    friends = Friends(*(f"guest {n}" for n in range(MEMBERS - 2)))
    friends.ask("other", "join", name="Ann")
    assert friends.names()[-1] == "Ann 2"
    assert friends.no("one more", "join") == "full"
    assert refusal(Friends().ask, "x", "join", 0, "x" * 10_000) == "bad-name"
    assert refusal(decide_circle.founded, "ann", say.Found(1, " ", "Ann"), NOON) == "bad-name"
    friends = Friends()
    friends.ask("bob", "join", name="B\u202eob\u200b")
    friends.room.ask(lambda room, _: decide_circle.changed(room, "ann", say.ChangeCircle(1, "Fri\u202eday", 0)))
    assert (friends.names()[1], friends.circle.name) == ("Bob", "Friday")


def test_strangers_see_only_the_name_and_the_number_of_members_and_cannot_chat() -> None:
    friends = Friends("bob")
    friends.score("day", str(day_of(NOON)), ann=3, bob=9)
    assert friends.sees("eve") == {"name": "Friday", "count": 2}
    assert friends.sees("bob")["members"]["1"] == ("Ann", True, False)
    friends.room.chat_from("bob")
    assert refusal(friends.room.chat_from, "eve") == "not-member"
    assert not friends.room.view(racing=True)["chat"] and friends.room.view(racing=False)["chat"]


def test_only_those_who_lead_remove_others_and_only_the_leader_appoints() -> None:
    friends = Friends("bob", "cem", "dan")
    assert friends.no("bob", "remove", 3) == "not-host"
    friends.ask("ann", "appoint", 2)
    assert friends.no("bob", "appoint", 3) == "not-host"
    assert friends.no("bob", "remove", 1) == "not-host"
    friends.ask("bob", "remove", 3)
    assert friends.no("cem", "join") == "kicked"
    assert friends.no("ann", "remove", 3) == "unknown-seat"
    friends.ask("ann", "dismiss", 2)
    assert friends.no("bob", "remove", 4) == "not-host"


def test_a_circle_always_has_a_leader() -> None:
    friends = Friends("bob", "cem")
    friends.ask("ann", "leave")
    assert friends.sees("bob")["leader"] == 2
    friends.ask("bob", "appoint", 3)
    friends.ask("bob", "leave")
    assert friends.sees("cem")["leader"] == 3
    friends.ask("cem", "leave")
    assert friends.circle.leader is None
    friends.ask("dan", "join")
    assert friends.circle.leader == 4


def test_a_member_who_leads_changes_the_name_and_how_many_scores_count() -> None:
    friends = Friends("bob")
    change = say.ChangeCircle(1, "Saturday", 5)
    assert refusal(decide_circle.changed, friends.room.room, "bob", change) == "not-host"
    friends.room.ask(lambda room, _: decide_circle.changed(room, "ann", change))
    assert (friends.sees("bob")["name"], friends.sees("bob")["counted"]) == ("Saturday", 5)


def test_the_places_are_among_the_members_and_two_must_have_a_result() -> None:
    friends = Friends("bob", "cem")
    today = day_of(NOON)
    friends.score("day", str(today), eve=50, bob=9, ann=3, cem=9)
    friends.score("day", str(today + 1), eve=50, bob=9)
    friends.score("day", str(today), ann=1, bob=2)  # was scored
    assert friends.rows() == [((2, 1), (3, 1), (1, 3))]
    assert friends.circle.next_day == today + 2


def test_a_day_is_scored_when_it_is_over_and_of_missed_days_only_the_last() -> None:
    friends = Friends()
    today = day_of(NOON)
    assert decide.next_due(friends.room.room, {}) == begins_at(today + 1) + decide_circle.AFTER
    assert decide_circle.overdue(friends.room.room, begins_at(today + 1)) == []
    assert decide_circle.overdue(friends.room.room, NOON + 5 * DAY) == [("day", str(today + 4))]
    friends.score("day", str(today + 4))
    assert decide_circle.overdue(friends.room.room, NOON + 5 * DAY) == []
    assert friends.rows() == []


def test_a_challenge_inside_is_scored_once_when_it_is_over() -> None:
    friends = Friends("bob")
    friends.room.happen(events.DealAdded("CHLLNG", NOON + DAY))
    assert friends.sees("bob")["deals"] == {"CHLLNG": NOON + DAY}
    assert ("challenge", "CHLLNG") in decide_circle.overdue(friends.room.room, NOON + DAY + decide_circle.AFTER)
    for _ in range(2):
        friends.score("challenge", "CHLLNG", ann=3, bob=9)
    assert friends.rows() == [((2, 1), (1, 2))] and friends.sees("bob")["deals"] == {}


def test_a_race_of_the_circle_counts_once_and_bots_and_strangers_do_not() -> None:
    friends = Friends("bob")
    race = racing(2)
    race.moves(1, home=9)
    race.moves(2, home=4)
    race.run_out()
    for _ in range(2):
        friends.room.ask(lambda room, context: decide_circle.race_over(room, race.room, context.now))
    assert friends.rows() == [((1, 1), (2, 2))]
    stranger = Friends()
    stranger.room.ask(lambda room, context: decide_circle.race_over(room, over(2).room, context.now))
    assert stranger.rows() == []


def test_only_members_play_in_the_name_of_a_circle() -> None:
    friends = Friends()
    decide_circle.check_is_member(friends.room.room, "ann")
    assert refusal(decide_circle.check_is_member, friends.room.room, "eve") == "not-member"
    assert refusal(decide_circle.check_is_member, racing(2).room, "ann") == "no-circle"


def test_only_the_first_places_are_kept() -> None:
    guests = [f"guest {n}" for n in range(PLACES + 4)]
    friends = Friends(*guests)
    friends.score("day", str(day_of(NOON)), **{guest: 50 - n for n, guest in enumerate(guests)})
    assert len(friends.rows()[0]) == PLACES
