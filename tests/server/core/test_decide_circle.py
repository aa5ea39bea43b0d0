"""A circle: its members, its leader, and the scores of its table."""

from typing import Any

import msgspec

from fortythieves.protocol import to_server as say
from fortythieves.rules.ranking import Result
from fortythieves.solver.day import DAY, begins_at, day_of
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_circle, event_limits, events, evolve
from fortythieves_server.core.challenge import Challenge, Try
from fortythieves_server.core.circle import MEMBERS, PLACES, RACE_SHOWN, RACES, Circle
from tests.refusals import refusal
from tests.server.core.test_decide_challenge import as_stored
from tests.server.tables import NOON, Table, commitment_of, over, racing


class Friends:
    def __init__(self, *others: str) -> None:
        self.room = Table()
        self.room.now = NOON
        created = decide_circle.founded("ann", say.Found(1, "Friday", "Ann", 7))
        created = as_stored(msgspec.structs.replace(created, code="CRCLNM", secret="0" * 64))
        self.room.log, self.room.room = [(NOON, created)], evolve.begin(NOON, created)
        for guest in others:
            self.ask(guest, "join")

    def ask(self, guest: str, do: Any, number: int = 0, name: str = "", address: str = "", deal: str = "") -> None:
        request = say.Membership(1, do, number, name or guest.title(), 5, deal)
        self.room.ask(lambda room, _: decide_circle.decide(room, guest, request, address))

    def change(self, guest: str, title: str = "Friday", counted: int = 0, *, closed: bool = False) -> None:
        request = say.ChangeCircle(1, title, counted, closed)
        self.room.ask(lambda room, _: decide_circle.decide(room, guest, request, ""))

    def add_deal(self, guest: str, code: str) -> None:
        self.room.ask(lambda room, _: decide_circle.deal_added(room, guest, code, NOON + DAY, ""))

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

    def report(self, race: Table) -> None:
        self.room.ask(lambda room, context: decide_circle.race_over(room, "RMCDFG", race.race, context.now))

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
    assert set(friends.sees("ann")["members"]) == {"1", "3"}
    friends.score("day", str(day_of(NOON)), ann=3, cem=9)
    friends.ask("cem", "leave")
    assert friends.sees("ann")["members"]["3"] == ("Cem", False, True)
    friends.ask("cem", "join", name="Cemal")
    friends.ask("bob", "join")
    assert friends.circle.number_of("cem") == 3 and friends.names() == ["Ann", "Cemal", "Bob"]
    assert evolve.replay(friends.room.log) == friends.room.room


def test_names_in_a_circle_are_clean_and_distinct_and_it_has_a_limit() -> None:
    friends = Friends(*(f"guest {n}" for n in range(MEMBERS - 2)))
    friends.ask("other", "join", name="Ann")
    assert friends.names()[-1] == "Ann 2"
    assert friends.no("one more", "join") == "full"
    assert refusal(Friends().ask, "x", "join", 0, "x" * 10_000) == "bad-name"
    assert refusal(decide_circle.founded, "ann", say.Found(1, " ", "Ann")) == "bad-name"
    friends = Friends()
    friends.ask("bob", "join", name="B\u202eob\u200b")
    friends.change("ann", "Fri\u202eday")
    assert (friends.names()[1], friends.circle.name) == ("Bob", "Friday")


def test_strangers_see_only_the_name_and_the_number_of_members_and_cannot_chat() -> None:
    friends = Friends("bob")
    friends.score("day", str(day_of(NOON)), ann=3, bob=9)
    assert friends.sees("eve") == {"name": "Friday", "count": 2, "closed": False}
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


def test_a_founder_who_returns_does_not_lead_again_by_that() -> None:
    friends = Friends("bob")
    friends.score("day", str(day_of(NOON)), ann=3, bob=9)
    friends.ask("ann", "leave")
    friends.ask("ann", "join")
    friends.ask("bob", "appoint", 1)
    assert (friends.circle.number_of("ann"), friends.circle.leader) == (1, 2)


def test_one_address_fills_half_of_a_circle_and_its_members_who_left_are_forgotten() -> None:
    friends = Friends()
    for n in range(MEMBERS // 2):
        friends.ask(f"eve {n}", "join", address="one")
    assert refusal(friends.ask, "eve", "join", 0, "", "one") == "full"
    friends.ask("bob", "join", address="other")
    for n in range(MEMBERS // 2):
        friends.ask(f"eve {n}", "leave")
    assert len(friends.circle.members) == len(friends.room.view()["faces"]) == 2
    assert evolve.replay(friends.room.log) == friends.room.room


def test_one_address_does_not_close_a_circle_for_others_by_joining_and_leaving() -> None:
    friends = Friends()
    used = event_limits.Counts((event_limits.MOST[event_limits.Kind.COMINGS] // 2,) * len(event_limits.Kind))
    friends.room.room = msgspec.structs.replace(friends.room.room, counts=used)
    while not event_limits.is_full(friends.room.room.counts, event_limits.Kind.COMINGS, "one"):
        friends.ask("eve", "join", address="one")
        friends.ask("eve", "leave")
    assert refusal(friends.ask, "eve", "join", 0, "", "one") == "log-full"
    friends.ask("bob", "join", address="other")
    full = event_limits.Counts(tuple(event_limits.MOST[kind] for kind in event_limits.Kind))
    friends.room.room = msgspec.structs.replace(friends.room.room, counts=full)
    for blocked in (lambda: friends.add_deal("ann", "CHLLNG"), lambda: friends.change("ann", "Saturday")):
        assert refusal(blocked) == "log-full"
    assert friends.no("ann", "appoint", friends.circle.number_of("bob") or 0) == "log-full"


def test_a_circle_that_is_closed_to_newcomers_admits_nobody() -> None:
    friends = Friends("bob")
    friends.change("ann", closed=True)
    assert friends.sees("eve")["closed"] and friends.no("eve", "join") == "locked"
    friends.change("ann")
    friends.ask("eve", "join")


def test_a_member_who_leads_changes_the_name_and_how_many_scores_count() -> None:
    friends = Friends("bob")
    assert refusal(friends.change, "bob", "Saturday", 5) == "not-host"
    friends.change("ann", "Saturday", 5)
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
    today = day_of(NOON)
    friends = Friends()
    assert decide.next_due(friends.room.room, {}) is None
    assert decide_circle.overdue(friends.room.room, NOON + 5 * DAY) == []
    friends.ask("bob", "join")
    scored_at = decide.next_due(friends.room.room, {}) or Ms(0)
    assert Ms(0) < scored_at - begins_at(today + 1) - decide_circle.AFTER < Ms(decide_circle.SPREAD)
    assert decide_circle.overdue(friends.room.room, scored_at - Ms(1)) == []
    assert decide_circle.overdue(friends.room.room, scored_at) == [("day", str(today))]
    assert decide_circle.overdue(friends.room.room, NOON + 5 * DAY) == [("day", str(today + 4))]
    friends.score("day", str(today + 4))
    assert decide_circle.overdue(friends.room.room, NOON + 5 * DAY) == []
    assert friends.rows() == []


def test_a_challenge_inside_is_scored_once_when_it_is_over() -> None:
    friends = Friends("bob")
    friends.add_deal("bob", "CHLLNG")
    assert friends.sees("bob")["deals"] == {"CHLLNG": NOON + DAY}
    assert ("challenge", "CHLLNG") in decide_circle.overdue(friends.room.room, NOON + DAY + decide_circle.AFTER)
    still_open = Challenge(events.Opened(NOON + 2 * DAY))
    friends.room.ask(lambda room, context: decide_circle.score(room, "challenge", "CHLLNG", still_open, context.now))
    assert friends.sees("bob")["deals"] == {"CHLLNG": NOON + 2 * DAY} and friends.rows() == []
    for _ in range(2):
        friends.score("challenge", "CHLLNG", ann=3, bob=9)
    assert friends.rows() == [((2, 1), (1, 2))] and friends.sees("bob")["deals"] == {}
    friends.add_deal("bob", "NOBODY")
    friends.score("challenge", "NOBODY", ann=3)
    assert len(friends.rows()) == 1 and friends.sees("bob")["deals"] == {}


def test_a_member_has_few_open_challenges_in_a_circle_and_who_leads_drops_one() -> None:
    friends = Friends("bob")
    for n in range(decide_circle.OPEN_DEALS_EACH):
        friends.add_deal("bob", f"CHLLN{n}")
    assert refusal(friends.add_deal, "bob", "CHLLNG") == "many-deals"
    friends.add_deal("ann", "CHLLNG")
    assert refusal(friends.ask, "bob", "drop", 0, "", "", "CHLLN0") == "not-host"
    friends.ask("ann", "drop", deal="CHLLN0")
    assert "CHLLN0" not in friends.sees("bob")["deals"]
    friends.score("challenge", "CHLLN0", ann=3, bob=9)
    assert friends.rows() == []
    friends.add_deal("bob", "CHLLN9")
    for n in range(decide_circle.OPEN_DEALS // decide_circle.OPEN_DEALS_EACH):
        friends.ask(f"guest {n}", "join")
    for n in range(decide_circle.OPEN_DEALS - len(friends.circle.deals)):
        friends.add_deal(f"guest {n // decide_circle.OPEN_DEALS_EACH}", f"MORE{n}")
    assert refusal(friends.add_deal, "ann", "CHLLNG") == "many-deals"


def test_a_race_of_the_circle_counts_once_and_bots_and_strangers_do_not() -> None:
    friends = Friends("bob")
    race = racing(2)
    race.moves(1, home=9)
    race.moves(2, home=4)
    race.run_out()
    for _ in range(2):
        friends.report(race)
    assert friends.rows() == [((1, 1), (2, 2))]
    stranger = Friends()
    stranger.report(over(2))
    assert stranger.rows() == []


def test_members_see_the_newest_races_of_others_until_these_end() -> None:
    friends = Friends(*(f"guest {n}" for n in range(RACES)))

    def opens(guest: str, code: str) -> None:
        friends.room.ask(lambda room, context: decide_circle.race_opened(room, guest, code, "home", context.now))

    opens("ann", "AAAAAA")
    opens("ann", "RMCDFG")
    assert friends.sees("guest 0")["races"] == {"RMCDFG": (1, friends.room.now)}
    assert "races" not in friends.sees("eve") and refusal(opens, "eve", "BBBBBB") == "not-member"
    friends.report(over(2))
    assert friends.sees("ann")["races"] == {}
    for n in range(RACES):
        opens(f"guest {n}", f"ROOM{n}")
    friends.ask("guest 1", "leave")
    opens("ann", "AAAAAA")
    assert list(friends.sees("ann")["races"]) == ["ROOM2", "ROOM3", "ROOM4", "AAAAAA"]
    friends.room.now += RACE_SHOWN
    opens("guest 2", "LATER2")
    assert list(friends.sees("ann")["races"]) == ["LATER2"]
    assert evolve.replay(friends.room.log) == friends.room.room


def test_a_race_of_the_circle_in_which_nobody_brought_a_card_home_gives_no_points() -> None:
    friends, race = Friends("bob"), racing(2)
    race.run_out()
    friends.report(race)
    assert friends.rows() == []


def test_a_race_is_reported_even_if_a_rematch_began_before() -> None:
    race = over(2)
    race.room = msgspec.structs.replace(race.room, of_circle="CRCLNM")
    race.do(1, say.Rematch(1, commitment_of(1)))
    assert race.race.number == 2 and decide.next_due(race.room, {}) == race.room.at
    first = decide_circle.race_to_report(race.room)
    assert first is not None and first.number == 1
    race.happen(events.ResultReported(1))
    assert decide_circle.race_to_report(race.room) is None


def test_only_members_play_in_the_name_of_a_circle() -> None:
    friends = Friends()
    decide_circle.check_is_member(friends.room.room, "ann")
    assert refusal(decide_circle.check_is_member, friends.room.room, "eve") == "not-member"
    assert refusal(decide_circle.check_is_member, racing(2).room, "ann") == "not-member"


def test_only_the_first_places_are_kept() -> None:
    guests = [f"guest {n}" for n in range(PLACES + 4)]
    friends = Friends(*guests)
    friends.score("day", str(day_of(NOON)), **{guest: 50 - n for n, guest in enumerate(guests)})
    assert len(friends.rows()[0]) == PLACES
