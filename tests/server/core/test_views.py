"""The public view of a room, and the patch from one view to the next."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fortythieves.protocol import to_server as say
from fortythieves.rules.ranking import Result
from fortythieves_server.core import events
from fortythieves_server.core.views import PAST_SHOWN, SPARE, View, Views, merge_patch
from tests.examples import examples
from tests.server.merging import merged
from tests.server.tables import CODE, NOON, SECOND, Table, commitment_of, counting, lobby, nonce_of, over, racing


def race_view(table: Table) -> Any:
    return table.view()["race"]


def test_the_view_of_a_new_room_and_of_a_message() -> None:
    table = lobby(2)
    table.ready(2)
    table.wait(SECOND)
    table.hang_up(1)
    view = table.view()
    assert (view["code"], view["host"], view["locked"]) == (CODE, 1, False)
    assert view["settings"]["game"] == view["race"]["game"] == "forty-thieves"
    assert view["race"]["number"] == 1 and view["race"]["starts_at"] is None
    assert view["past"] == view["chat"] == view["race"]["racers"] == {}
    assert view["people"] == {
        "1": {"name": "Ann", "bot": False, "here": False, "ready": False, "since": NOON, "away_at": table.now},
        "2": {"name": "Bob", "bot": False, "here": True, "ready": True, "since": NOON, "away_at": None},
    }
    table = lobby(2)
    table.wait(SECOND)
    table.do(2, say.Chat(1, "secret key", "<b>hi</b>"))
    message = {"seat": 2, "name": "Bob", "at": NOON + SECOND, "text": "<b>hi</b>", "face": table.room.faces[2]}
    assert list(table.view()["chat"].values()) == [message]


def test_commitments_are_shown_once_frozen_and_nonces_once_the_cards_are_dealt() -> None:
    table = lobby(3)
    table.ready(1, 2)
    assert commitment_of(1) not in json.dumps(table.view())
    table.ready(3)
    table.settle()
    assert race_view(table)["commitments"] == {str(seat): commitment_of(seat) for seat in (1, 2, 3)}
    table.reveal(1, 2)
    assert nonce_of(1) not in json.dumps(table.view())
    table.reveal(3)
    table.settle()
    assert race_view(table)["nonces"] == {str(seat): nonce_of(seat) for seat in (1, 2, 3)}
    numbered = race_view(over(2, deal="32001"))
    assert numbered["commitment"] is None and numbered["secret"] is None


def test_a_racer_has_a_result_once_it_is_known_and_a_place_once_the_race_is_over() -> None:
    table = racing(3)
    table.wait(60 * SECOND)
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    racers = race_view(table)["racers"]
    won = {"finished_at": table.now, "reached_at": table.now, "home": 104, "moves": 150}
    assert racers["1"] == {"name": "Ann", "state": "solved", "gave_up_at": None, "place": None, **won}
    assert racers["2"]["state"] == "racing" and racers["2"]["home"] is None
    table.moves(2, 3)
    table.do(1, say.Kick(1, 3))
    table.do(2, say.Leave(1))
    racers = race_view(table)["racers"]
    assert [racers[seat]["place"] for seat in ("1", "2", "3")] == [1, 2, None], "a disqualified racer has none"
    assert Result._fields == ("state", "when", "home", "moves", "reached_at"), "all of a result is public"


def test_the_latest_of_the_earlier_races_are_shown_by_their_results() -> None:
    table = racing(2, game="lucas")
    table.wait(60 * SECOND)
    table.moves(2, to=150, home=104, outcome="solved")
    table.run_out()
    table.do(1, say.Rematch(1, ""))
    places = [(1, "Ann", None, "did_not_start", 8, 0, 1200 * SECOND), (2, "Bob", 1, "solved", 104, 150, 60 * SECOND)]
    assert table.view()["past"] == {"1": {"game": "lucas", "places": places}}
    early = counting(2)
    for seat in (1, 2):
        early.do(seat, say.Leave(1))
    early.do(early.join("cem"), say.Rematch(1, ""))
    assert [row[6] for row in early.view()["past"]["1"]["places"]] == [0, 0], "both left before the start"
    table = over(2)
    table.happen(*[events.SetUp(table.race.secret)] * (PAST_SHOWN + 2))
    assert list(table.view()["past"]) == [str(number) for number in range(3, PAST_SHOWN + 3)]


def chat(table: Table, *, racing: bool) -> list[str]:
    return [message["text"] for message in table.view(racing=racing)["chat"].values()]


def test_active_racers_see_only_messages_of_active_racers() -> None:
    table = counting(3, late="watch")
    table.do(2, say.Chat(1, "k", "counting"))
    table.join("dan")
    table.do(4, say.Chat(1, "early", "at a seat"))
    assert chat(table, racing=True) == ["counting"]
    table.now = table.race.starts_at or table.now
    table.wait(10 * SECOND)
    table.do(3, say.Chat(1, "k", "racing"))
    table.moves(3, to=9, outcome="stuck")
    table.settle()
    table.do(2, say.GiveUp(1))
    for seat, text in ((1, "still racing"), (2, "given up"), (3, "stuck")):
        table.do(seat, say.Chat(1, text, text))
    table.chat_from("w")
    mine = ["counting", "racing", "still racing"]
    assert chat(table, racing=True) == mine, "a message stays when its author has finished"
    everything = ["counting", "at a seat", "racing", "still racing", "given up", "stuck", "hi"]
    assert chat(table, racing=False) == everything
    table.run_out()
    assert chat(table, racing=True) == everything


plain = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a"]) | st.lists(st.integers(0, 1))
maps = st.recursive(
    st.dictionaries(st.sampled_from("abc"), plain),
    lambda inner: st.dictionaries(st.sampled_from("abc"), plain | inner, max_size=3),
    max_leaves=8,
)


@examples(60)
@given(maps, maps)
def test_a_patch_turns_the_old_view_into_the_new_one(old: View, new: View) -> None:
    assert merged(merged({}, old), merge_patch(old, new)) == merged({}, new)
    assert merge_patch(new, new) == {}


def test_a_patch_has_only_the_changes() -> None:
    old = {"host": 1, "people": {"1": {"here": True, "ready": False}, "2": {"here": True}}, "past": {}}
    new = {"host": 1, "people": {"1": {"here": True, "ready": True}, "3": {"here": True}}, "past": {}}
    assert merge_patch(old, new) == {"people": {"1": {"ready": True}, "2": None, "3": {"here": True}}}


def test_outdated_parts_of_views_are_dropped() -> None:
    table, views = lobby(1), Views()
    for k in range(500):
        table.happen(events.Chatted(1, str(k), "words"))
        views.of(table.room)
    assert views.most_kept <= 2 * len(table.room.chat) + SPARE
