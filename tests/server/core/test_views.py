"""What is shown of a room, and what of a change."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol.to_server import ChangePlan, Chat, GiveUp, Kick, Leave, Lock, Rematch, Team, Withdraw
from fortythieves.rules.ranking import Result
from fortythieves_server.core import decide, events
from fortythieves_server.core.room_list import preview, summary
from fortythieves_server.core.views import PAST_SHOWN, SPARE, View, Views, merge_patch
from tests.server.merging import merged
from tests.server.tables import (
    CODE,
    NOON,
    SECOND,
    Table,
    commitment_of,
    counting,
    drawn,
    entered,
    lobby,
    nonce_of,
    over,
    racing,
    room_view,
)

# A view


def test_a_fresh_room_shows_that_there_is_a_room() -> None:
    view = room_view(lobby(1).room)
    assert (view["code"], view["host"], view["locked"]) == (CODE, 1, False)
    assert view["settings"]["game"] == view["race"]["game"] == "forty-thieves"
    assert view["race"]["number"] == 1 and view["race"]["starts_at"] is None
    assert view["past"] == view["chat"] == view["race"]["racers"] == {}


def test_people_are_shown_by_seat_without_their_guest_passes() -> None:
    table = lobby(2)
    table.ready(2)
    table.wait(SECOND)
    table.hang_up(1)
    assert room_view(table.room)["people"] == {
        "1": {"name": "Ann", "bot": False, "here": False, "ready": False, "since": NOON, "away_at": table.now},
        "2": {"name": "Bob", "bot": False, "here": True, "ready": True, "since": NOON, "away_at": None},
    }


def test_commitments_are_shown_only_once_they_are_frozen_and_nonces_once_the_cards_are_dealt() -> None:
    table = lobby(3)
    table.ready(1, 2)
    assert commitment_of(1) not in json.dumps(room_view(table.room))
    table.ready(3)
    table.settle()
    assert room_view(table.room)["race"]["commitments"] == {str(seat): commitment_of(seat) for seat in (1, 2, 3)}
    table.reveal(1, 2)
    assert nonce_of(1) not in json.dumps(room_view(table.room))
    table.reveal(3)
    table.settle()
    assert room_view(table.room)["race"]["nonces"] == {str(seat): nonce_of(seat) for seat in (1, 2, 3)}


@pytest.mark.parametrize("start", [lobby, counting, racing])
def test_the_secret_is_shown_only_when_the_race_is_over(start: Any) -> None:
    table: Table = start(2)
    view = room_view(table.room)
    assert table.race.secret not in json.dumps(view)
    assert view["race"]["commitment"] == table.race.commitment
    table.now = NOON + 86_400 * SECOND
    table.settle()
    if table.race.starts_at is not None:
        assert room_view(table.room)["race"]["secret"] == table.race.secret


def test_the_secret_of_the_next_race_is_not_that_of_the_last() -> None:
    table = over(2)
    table.do(1, Rematch(1, ""))
    assert table.race.secret not in json.dumps(room_view(table.room))


def test_an_open_deal_has_nothing_to_prove() -> None:
    race = room_view(over(2, deal="32001").room)["race"]
    assert race["commitment"] is None and race["secret"] is None


def test_a_racer_is_shown_with_a_result_as_soon_as_there_is_one_and_a_place_when_it_is_over() -> None:
    table = racing(2)
    table.wait(60 * SECOND)
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    racers = room_view(table.room)["race"]["racers"]
    assert racers["1"] == {
        "name": "Ann",
        "state": "solved",
        "gave_up_at": None,
        "finished_at": table.now,
        "home": 104,
        "moves": 150,
        "reached_at": table.now,
        "place": None,
    }
    assert racers["2"]["state"] == "racing" and racers["2"]["home"] is None
    table.moves(2)
    table.do(2, Leave(1))
    racers = room_view(table.room)["race"]["racers"]
    assert (racers["1"]["place"], racers["2"]["place"]) == (1, 2)


def test_whoever_is_disqualified_has_no_place() -> None:
    table = racing(3)
    for seat in (1, 2, 3):
        table.moves(seat)
    table.do(1, Kick(1, 2))
    table.run_out()
    racers = room_view(table.room)["race"]["racers"]
    assert [racers[seat]["place"] for seat in ("1", "2", "3")] == [1, None, 1]


def test_earlier_races_are_shown_by_their_results() -> None:
    table = racing(2, game="lucas")
    table.wait(60 * SECOND)
    table.moves(2, to=150, home=104, outcome="solved")
    table.run_out()
    table.do(1, Rematch(1, ""))
    assert room_view(table.room)["past"] == {
        "1": {
            "game": "lucas",
            "places": [
                (1, "Ann", None, "did_not_start", 8, 0, 1200 * SECOND),
                (2, "Bob", 1, "solved", 104, 150, 60 * SECOND),
            ],
        }
    }


def test_whoever_left_before_the_start_did_so_after_no_time_at_all() -> None:
    table = counting(2)
    table.do(1, Leave(1))
    table.do(2, Leave(1))
    table.join("cem")
    table.do(3, Rematch(1, ""))
    assert [row[6] for row in room_view(table.room)["past"]["1"]["places"]] == [0, 0]


def test_only_the_latest_of_the_earlier_races_are_shown() -> None:
    table = over(2)
    for _ in range(PAST_SHOWN + 2):
        table.do(1, Rematch(1, ""))
        table.ready(2)
        table.settle()
        table.reveal(2)
        table.settle()
        table.run_out()
    assert list(room_view(table.room)["past"]) == [str(number) for number in range(3, PAST_SHOWN + 3)]


def heard(table: Table, *, racing: bool) -> list[str]:
    return [line["text"] for line in room_view(table.room, racing=racing)["chat"].values()]


def test_who_races_hears_nobody_who_does_not_race_before_the_race_is_over() -> None:
    table = racing(3, late="watch")
    table.join("dan")
    table.wait(10 * SECOND)
    table.moves(3, to=9, outcome="stuck")
    table.settle()
    table.do(2, GiveUp(1))
    said = {1: "racing", 2: "given up", 3: "stuck", 4: "at a seat"}
    for seat, text in said.items():
        table.do(seat, Chat(1, "k", text))
    table.ask(lambda room, context: decide.spectator_chats(room, "w", "Wanda", Chat(1, "k", "watching")))
    assert heard(table, racing=True) == ["racing"]
    assert heard(table, racing=False) == [*said.values(), "watching"]
    table.run_out()
    assert heard(table, racing=True) == [*said.values(), "watching"]


def test_what_was_said_while_racing_is_heard_also_when_its_sender_is_done() -> None:
    table = racing(2)
    table.do(2, Chat(1, "k", "racing"))
    table.moves(2, to=9, outcome="stuck")
    table.settle()
    assert heard(table, racing=True) == ["racing"]


def test_who_races_hears_only_racers_from_the_countdown_on() -> None:
    table = counting(2, late="watch")
    table.do(2, Chat(1, "k", "racing"))
    table.join("cem")
    table.do(3, Chat(1, "k", "at a seat"))
    assert heard(table, racing=True) == ["racing"]


def test_chat_is_shown_with_the_name_and_the_time_and_without_the_key() -> None:
    table = lobby(2)
    table.wait(SECOND)
    table.do(2, Chat(1, "secret key", "<b>hi</b>"))
    assert list(room_view(table.room)["chat"].values()) == [
        {"seat": 2, "name": "Bob", "at": NOON + SECOND, "text": "<b>hi</b>"}
    ]


# What changed

plain = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a"]) | st.lists(st.integers(0, 1))
maps = st.recursive(
    st.dictionaries(st.sampled_from("abc"), plain),
    lambda inner: st.dictionaries(st.sampled_from("abc"), plain | inner, max_size=3),
    max_leaves=8,
)


@given(maps, maps)
def test_a_patch_makes_the_old_view_into_the_new_one(old: View, new: View) -> None:
    assert merged(merged({}, old), merge_patch(old, new)) == merged({}, new)


@given(maps)
def test_there_is_nothing_to_say_of_what_has_not_changed(view: View) -> None:
    assert merge_patch(view, view) == {}


def test_a_patch_says_only_what_changed() -> None:
    old = {"host": 1, "people": {"1": {"here": True, "ready": False}, "2": {"here": True}}, "past": {}}
    new = {"host": 1, "people": {"1": {"here": True, "ready": True}, "3": {"here": True}}, "past": {}}
    assert merge_patch(old, new) == {"people": {"1": {"ready": True}, "2": None, "3": {"here": True}}}


# The front page


def test_the_front_page_shows_a_public_room_somebody_can_join() -> None:
    table = lobby(2, public=True)
    table.hang_up(2)
    assert summary(table.room) == {
        "code": CODE,
        "game": "forty-thieves",
        "host": "Ann",
        "people": 1,
        "seats": 8,
        "phase": "lobby",
        "watchable": False,
        "winnable": False,
        "stars": None,
        "open": True,
        "tournament": None,
    }


@pytest.mark.parametrize(
    ("start", "phase"), [(lobby, "lobby"), (counting, "racing"), (racing, "racing"), (over, "over")]
)
def test_the_front_page_shows_how_far_a_room_is(start: Any, phase: str) -> None:
    assert summary(start(2).room)["phase"] == phase


def closed_rooms() -> dict[str, Table]:
    private, locked, full, empty = lobby(2), lobby(2, public=True), lobby(2, public=True, seats=2), Table(public=True)
    locked.do(1, Lock(1, True))
    bots = Table(public=True)
    bots.join("robot", bot=True)
    deserted = lobby(1, public=True)
    deserted.hang_up(1)
    refusing = racing(2, public=True, late="refuse")
    names = {"private": private, "locked": locked, "full": full, "empty": empty}
    return {**names, "bots": bots, "deserted": deserted, "refusing": refusing}


@pytest.mark.parametrize("which", closed_rooms())
def test_the_front_page_does_not_offer_a_room_that_nobody_would_be_happy_in(which: str) -> None:
    assert not summary(closed_rooms()[which].room)["open"]


def test_a_race_that_takes_late_ones_is_offered() -> None:
    assert summary(racing(2, public=True, late="watch").room)["open"]


# The door


def test_whoever_is_at_the_door_is_told_which_event_it_is_and_who_may_come_in() -> None:
    plan = {
        "name": "Club night",
        "entry": "password",
        "about": "Bring pens.",
        "rounds": 3,
        "ladder": [{"game": "maria"}, {}, {"game": "maria"}],
    }
    table = entered(3, plan, game="lucas")
    table.do(1, Withdraw(1, 4))
    told = preview(table.room)
    assert told["host"] == "Host"
    assert told["tournament"] == {
        "name": "Club night",
        "format": "points",
        "entry": "password",
        "phase": "entry",
        "next_at": None,
        "about": "Bring pens.",
        "games": ["maria", "lucas"],
        "rounds": 3,
        "links_only": False,
        "entrants": 2,
        "may_enter": True,
        "closed": None,
        "closes_at": None,
        "most": None,
        "check_in": None,
        "team_size": 0,
        "teams": [],
    }


@pytest.mark.parametrize(("entry", "shown"), [("open", ["Red"]), ("list", [])])
def test_the_door_names_the_teams_if_everybody_may_enter(entry: str, shown: list[str]) -> None:
    table = entered(1, {"team_size": 2})
    table.do(2, Team(1, 2, "Red"))
    table.do(1, ChangePlan(1, {"entry": entry, "listed": ["Ann"]}))
    told = preview(table.room)["tournament"]
    assert (told["team_size"], told["teams"]) == (2, shown)


def test_whoever_is_at_the_door_is_told_that_it_is_too_late() -> None:
    assert not preview(drawn(4, {"format": "knockout"}).room)["tournament"]["may_enter"]
    locked = entered(2)
    locked.do(1, Lock(1, True))
    assert not preview(locked.room)["tournament"]["may_enter"]


@pytest.mark.parametrize("form", ["knockout", "roundrobin"])
def test_where_all_follows_from_the_first_draw_the_number_of_rounds_is_not_known_at_the_door(form: str) -> None:
    assert preview(entered(4, {"format": form}).room)["tournament"]["rounds"] is None


def test_at_the_door_of_a_full_round_robin_nobody_may_enter() -> None:
    assert preview(entered(29, {"format": "roundrobin"}).room)["tournament"]["may_enter"]
    assert not preview(entered(30, {"format": "roundrobin"}).room)["tournament"]["may_enter"]


def test_at_the_door_of_a_race_no_more_is_told_than_on_the_front_page() -> None:
    assert preview(lobby(2).room) == summary(lobby(2).room)


def test_results_are_times_and_counts_and_nothing_else() -> None:
    assert Result._fields == ("solved", "when", "home", "reached_at", "moves")


def test_what_is_shown_no_more_is_not_kept_for_long() -> None:
    table, views = lobby(1), Views()
    for k in range(500):
        table.happen(events.Chatted(1, str(k), "words"))
        views.of(table.room)
    assert views.most_kept <= 2 * len(table.room.chat) + SPARE
