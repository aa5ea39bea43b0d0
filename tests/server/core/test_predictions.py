"""What spectators predict: once each, early in a race, and hidden until it is over."""

import json
from typing import Any

from fortythieves.protocol import to_server as say
from fortythieves.times import Ms, ms_of
from fortythieves_server.core import decide, event_limits, events
from fortythieves_server.core.evolve import replay
from tests.refusals import refusal
from tests.server.tables import Table, counting, in_round, lobby, over, racing

THIRD = ms_of(1200 // 3)


def predict(table: Table, guest: str, seat: int, address: str = "") -> list[events.Event]:
    request = say.Predict(1, seat)
    return table.ask(lambda room, context: decide.predict(room, guest, request, context, address))


def why_not(table: Table, guest: str = "wanda", seat: int = 1, address: str = "") -> str:
    return refusal(predict, table, guest, seat, address)


def told(table: Table) -> Any:
    return table.view()["race"].get("predicted")


def test_each_guest_outside_the_race_predicts_once_and_all_see_the_sums_after_it() -> None:
    table = racing(2)
    before = json.dumps([table.view(), table.view(racing=True)])
    assert predict(table, "wanda", 1) == [events.Predicted(1, "wanda")]
    assert predict(table, "wanda", 1) == [], "as after a lost answer"
    predict(table, "xena", 2)
    predict(table, "yuri", 1)
    assert why_not(table, "wanda", 2) == "no-prediction", "she has said it"
    assert json.dumps([table.view(), table.view(racing=True)]) == before, "racers and spectators see nothing"
    assert replay(table.log).race.predictions == table.race.predictions
    table.moves(1, home=9)
    table.run_out()
    assert told(table) == {"1": 2, "2": 1}
    table.do(1, say.Rematch(1, ""))
    assert told(table) is None and not table.room.past[1].predictions


def test_nobody_predicts_a_race_of_their_own_or_for_somebody_outside_it() -> None:
    table = racing(2)
    assert why_not(table, "bob") == "racing"
    assert why_not(table, seat=7) == "unknown-seat"
    table.moves(1, outcome="solved", home=104)
    table.settle()
    assert why_not(table, "ann", 2) == "racing", "a racer who is done knows more"


def test_predictions_end_with_a_third_of_the_time_or_of_the_cards() -> None:
    assert predict(counting(2), "wanda", 1)
    table = racing(2)
    table.moves(1, home=34)
    table.wait(THIRD - Ms(1))
    assert predict(table, "wanda", 1)
    table.wait(Ms(1))
    assert why_not(table, "xena") == "no-prediction"
    table = racing(2)
    table.moves(2, home=35)
    assert why_not(table) == "no-prediction"
    for none in (lobby(2), over(2), racing(1)):
        assert why_not(none) == "no-prediction"


def test_a_race_takes_so_many_predictions_and_half_of_them_from_one_address() -> None:
    table = racing(2)
    half = decide.MOST_PREDICTIONS // 2
    for n in range(half):
        predict(table, f"stranger {n}", 1, "one address")
    assert why_not(table, address="one address") == "no-prediction"
    for n in range(half):
        predict(table, f"guest {n}", 2, f"address {n}")
    assert why_not(table, address="another") == "no-prediction"
    assert event_limits.kind_of(events.Predicted(1, "wanda")) is event_limits.Kind.WATCHERS
    table.happen(events.Predicted(1, "guest 1"))
    assert len(table.race.predictions) == 2 * half, "only the first one of a guest counts"


def test_tournaments_have_none_so_hidden_scores_stay_hidden() -> None:
    assert why_not(in_round(2, {"blind": True}), "wanda", 2) == "tournament"
