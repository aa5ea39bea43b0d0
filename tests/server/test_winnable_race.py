"""A race on a deal that can be won: 16 are claimed when the countdown begins, and the racers' numbers choose one."""

from collections.abc import Mapping
from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol.to_server import ChangePlan, ChangeSettings, Rematch, Start
from fortythieves.record.signature import is_promised
from fortythieves.rules import deal, winnable
from fortythieves.times import Ms
from fortythieves_server.core import decide, events, evolve
from fortythieves_server.core.room_list import summary
from fortythieves_server.core.rule_context import Context, Events, NeedsClaim, unclaimed
from tests.refusals import refusal
from tests.server.tables import (
    CODE,
    MINUTE,
    SECOND,
    Table,
    begin,
    claimed,
    drawn,
    entered,
    lobby,
    nonce_of,
    over,
    play,
    started,
)

CLAIMED = claimed(1, "forty-thieves", 0)
LEAVES = winnable.leaves_of([bytes.fromhex(secret) for secret in CLAIMED.secrets])
ROOT = winnable.root_of(LEAVES)


def leaf_with(*seats: int) -> int:
    return winnable.choice_of(ROOT, [bytes.fromhex(nonce_of(seat)) for seat in seats])


def deck_of(leaf: int) -> list[int]:
    return deal.deck_of_secret(bytes.fromhex(CLAIMED.secrets[leaf]), [])


class Short(Table):
    """A table with too few deals in the pool."""

    @property
    def context(self) -> Context:
        return super().context._replace(claim=_short)


def _short(race: int, game: str, stars: int) -> events.Claimed:
    raise Refused("winnable-preparing", ready=3, needed=winnable.DEALS)


def shown(table: Table) -> Mapping[str, Any]:
    race: Mapping[str, Any] = table.view()["race"]
    return race


def test_the_promise_covers_all_sixteen_claimed_deals() -> None:
    table = lobby(2, deal="winnable", auto_start=False)
    assert shown(table)["commitment"] is shown(table)["promise"] is None
    table.ready(1, 2)
    happened = table.do(1, Start(1))
    assert [type(event) for event in happened] == [events.Counted, events.Claimed]
    promise = table.race.promise
    assert table.race.commitment == ROOT.hex() == shown(table)["commitment"]
    assert promise is not None and is_promised(promise, CODE, 1, ROOT.hex())
    assert shown(table)["promise"] == promise._asdict()


def test_each_race_claims_new_deals() -> None:
    table = over(2, deal="winnable")
    first = table.race
    table.do(1, Rematch(1, ""))
    assert table.race.commitment is None
    table.do(1, Start(1))
    assert table.race.chosen is not None or table.race.claimed is not None
    assert table.race.commitment not in {None, first.commitment}


def test_no_view_shows_secrets_or_solutions_before_the_end() -> None:
    table = started(2, deal="winnable")
    hidden = {*CLAIMED.secrets, table.race.secret, *(line[0] for line in CLAIMED.lines)}

    def told() -> set[str]:
        text = f"{table.view()} {table.view(racing=True)} {summary(table.room)}"
        return {secret for secret in hidden if secret in text}

    assert told() == set()
    table.reveal(1, 2)
    table.settle()
    assert told() == set() and shown(table)["leaf"] is shown(table)["path"] is None
    table.run_out()
    leaf = leaf_with(1, 2)
    assert told() == {CLAIMED.secrets[leaf]}
    assert shown(table)["leaf"] == leaf and len(shown(table)["path"]) == winnable.STEPS


@pytest.mark.parametrize(("setting", "before"), [("winnable", None), ("winnable-2", 2)])
def test_the_stars_are_shown_when_known(setting: str, before: int | None) -> None:
    table = started(2, deal=setting)
    assert summary(table.room)["winnable"] is True
    assert shown(table)["stars"] == summary(table.room)["stars"] == before
    table.reveal(1, 2)
    table.settle()
    chosen = table.race.chosen
    assert chosen is not None
    assert shown(table)["stars"] == summary(table.room)["stars"] == chosen.stars


@pytest.mark.parametrize("setting", ["winnable", "winnable-3"])
def test_the_claim_has_the_game_and_stars_of_the_settings(setting: str) -> None:
    table = lobby(2, deal=setting, auto_start=False)
    with pytest.raises(NeedsClaim) as needs:
        decide.decide(table.room, 1, Start(1), table.context._replace(claim=unclaimed))
    asked = needs.value
    assert (asked.race, asked.game, asked.stars) == (1, "forty-thieves", 3 if setting == "winnable-3" else 0)


def test_a_waiting_room_claims_nothing() -> None:
    table = lobby(2, deal="winnable")
    table.ready(1)
    assert decide.due(table.room, table.context._replace(claim=unclaimed)) == []


def test_other_due_events_happen_while_deals_are_missing() -> None:
    table = short(3)
    table.hang_up(3)
    table.wait(20 * MINUTE)
    assert table.tick() == [events.Left(3)]
    assert refusal(table.tick) == "winnable-preparing"


def test_a_host_can_return_to_an_ordinary_deal() -> None:
    table = short()
    table.do(1, ChangeSettings(1, {"deal": "secret"}))
    assert shown(table)["promise"] is not None, "it was made when the race was set up"
    table.ready(1, 2)
    table.settle()
    assert table.race.on and table.race.claimed is None


def short(people: int = 2) -> Table:
    table = Short(deal="winnable")
    for guest in ("ann", "bob", "cem")[:people]:
        table.join(guest)
    table.ready(*table.room.people)
    return table


BY_LADDER = {"plan": {"ladder": [{"deal": "winnable-1"}]}}
BY_SETTINGS = {"deal": "winnable-1"}


@pytest.mark.parametrize("how", [BY_LADDER, BY_SETTINGS])
def test_a_round_can_use_a_winnable_deal(how: dict[str, Any]) -> None:
    table = drawn(4, **how)
    begin(table)
    assert table.race.on and table.race.chosen is not None and table.race.chosen.stars == 1


@pytest.mark.parametrize("how", [BY_LADDER, BY_SETTINGS])
def test_a_host_can_drop_the_winnable_deal_of_a_drawn_round(how: dict[str, Any]) -> None:
    table = drawn(4, **how)
    table.ready(*table.tournament.seats)
    assert refusal(due_when_short, table) == "winnable-preparing"
    table.do(1, ChangeSettings(1, {"deal": "secret"}))
    assert table.do(1, ChangeSettings(1, {"deal": "secret"})) == []
    assert all(table.person(seat).ready for seat in table.tournament.seats)
    table.do(1, ChangeSettings(1, {"watch": "progress"}))
    begin(table)
    assert table.race.settings.deal == "secret" and table.race.settings.watch == "progress"
    assert table.race.promise is not None and is_promised(table.race.promise, CODE, 1, table.race.commitment or "")
    assert evolve.replay(table.log) == table.room


def test_the_plan_of_later_rounds_stays() -> None:
    table = drawn(4, {"format": "points", "rounds": 2, "ladder": [{"deal": "winnable"}]})
    table.do(1, ChangeSettings(1, {"deal": "secret"}))
    begin(table)
    play(table, 2)
    table.now = max(table.now, table.tournament.next_at or Ms(0))
    table.settle()
    assert table.tournament.rounds.keys() >= {1, 2}
    assert table.room.settings.winnable == 0


def test_a_drawn_round_cannot_change_to_a_winnable_deal() -> None:
    table = drawn(4)
    assert table.refuses(1, ChangeSettings(1, {"deal": "winnable"})) == "racing"


def due_when_short(table: Table) -> Events:
    at = (table.tournament.next_at or Ms(0)) - table.room.settings.countdown * SECOND
    return decide.due(table.room, table.context._replace(now=max(table.now, at), claim=_short))


def refused_as(table: Table, request: ChangeSettings | ChangePlan, *, has_winnable: bool = True) -> object:
    with pytest.raises(Refused) as refused:
        decide.decide(table.room, 1, request, table.context._replace(has_winnable=has_winnable))
    return refused.value.details["detail"]


def test_arenas_have_no_winnable_deals() -> None:
    arena = entered(2, {"format": "arena"})
    assert refused_as(arena, ChangeSettings(1, {"deal": "winnable"})) == "winnable-arena"
    assert refused_as(arena, ChangePlan(1, {"ladder": [{"deal": "winnable"}]}, "")) == "winnable-arena"
    swiss = entered(2, {"format": "swiss"}, deal="winnable")
    assert refused_as(swiss, ChangePlan(1, {"format": "arena"}, "")) == "winnable-arena"


def test_a_game_of_which_few_deals_can_be_won_has_no_winnable_deals() -> None:
    assert refused_as(entered(2), ChangeSettings(1, {"deal": "winnable", "game": "roosevelt"})) == "winnable-rare"
    assert refused_as(entered(2, deal="winnable"), ChangeSettings(1, {"game": "roosevelt"})) == "winnable-rare"
    rounds = [{"deal": "winnable", "game": "roosevelt"}]
    assert refused_as(entered(2, {"format": "swiss"}), ChangePlan(1, {"ladder": rounds}, "")) == "winnable-rare"


def test_a_server_without_a_pool_refuses_winnable_deals() -> None:
    table = entered(2)
    assert refused_as(table, ChangeSettings(1, {"deal": "winnable-1"}), has_winnable=False) == "winnable-off"
    assert (
        refused_as(table, ChangePlan(1, {"ladder": [{"deal": "winnable"}]}, ""), has_winnable=False) == "winnable-off"
    )
    had = entered(2, deal="winnable")
    without = had.context._replace(has_winnable=False)
    assert decide.decide(had.room, 1, ChangeSettings(1, {"time_limit": 600}), without) != []
