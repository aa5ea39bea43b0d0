"""The nonces of a deal: racers commit to nonces before the countdown, and reveal them once it has begun."""

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol.to_server import Chat, GiveUp, Kick, Leave, Ready, Rematch, Reveal
from fortythieves.record.signature import is_promised
from fortythieves.rules import deal, winnable
from fortythieves.times import Ms
from fortythieves_server.core import decide, event_limits, events
from fortythieves_server.core.evolve import DEALT_BEFORE
from fortythieves_server.core.rule_context import REVEAL_BEFORE, REVEAL_WITHIN
from tests.server.tables import (
    CODE,
    MINUTE,
    SECOND,
    Table,
    claimed,
    commitment_of,
    drawn,
    lobby,
    nonce_of,
    over,
    started,
)


def deck_with(table: Table, *seats: int) -> list[int]:
    """The deck that follows from the secret and these nonces, or which of the claimed ones they choose."""
    nonces = [bytes.fromhex(nonce_of(seat)) for seat in seats]
    if table.race.settings.winnable is None:
        return deal.deck_of_secret(bytes.fromhex(table.race.secret), nonces)
    leaf = winnable.choice_of(bytes.fromhex(table.race.commitment or ""), nonces)
    return deal.deck_of_secret(bytes.fromhex(claimed(1, "forty-thieves", 0).secrets[leaf]), [])


#: The kinds of deals for which the nonces of racers count.
SECRETS = pytest.mark.parametrize("secret", ["secret", "winnable"])


@SECRETS
def test_the_deal_is_settled_and_shown_with_the_last_nonce(secret: str) -> None:
    table = started(deal=secret)
    table.reveal(3, 1)
    assert table.tick() == []
    with pytest.raises(ValueError, match="not dealt yet"):
        _ = table.race.deck
    assert decide.next_due(table.room, {}) == table.now + REVEAL_WITHIN
    table.reveal(2)
    assert table.tick() == [events.Dealt()]
    assert table.race.deck == deck_with(table, 1, 2, 3)
    assert table.tick() == []


@SECRETS
def test_a_late_nonce_is_not_in_the_deal(secret: str) -> None:
    table = started(deal=secret)
    table.reveal(1, 3)
    table.wait(REVEAL_WITHIN - Ms(1))
    assert table.tick() == []
    table.wait(Ms(1))
    assert table.tick() == [events.Dealt()]
    assert table.race.deck == deck_with(table, 1, 3)
    assert table.refuses(2, Reveal(1, nonce_of(2))) == "reveal-late"


def test_a_nonce_must_match_its_commitment() -> None:
    table = lobby(2)
    table.ready(1)
    assert table.refuses(1, Reveal(1, nonce_of(1))) == "wrong-nonce", "before the countdown"
    table = over(2)
    table.do(1, Rematch(1, commitment_of(1)))
    assert table.refuses(1, Reveal(1, nonce_of(1))) == "wrong-nonce"
    table = started()
    assert table.refuses(1, Reveal(1, nonce_of(2))) == "wrong-nonce"
    assert table.do(1, Reveal(1, nonce_of(1))) == [events.Contributed(1, nonce_of(1))]


def test_a_repeated_nonce_counts_once() -> None:
    table = started()
    table.reveal(1, 2, 3)
    for happens in (table.tick, table.settle, table.run_out):
        assert table.do(1, Reveal(1, nonce_of(1))) == []
        happens()


def test_bots_add_no_nonce() -> None:
    """The server that plays it knows the secret, so it could choose among many nonces."""
    table = lobby(1)
    table.join("robin", bot=True)
    table.ready(1, 2)
    table.settle()
    assert table.race.commitments == {1: commitment_of(1)}
    assert table.refuses(2, Reveal(1, nonce_of(2))) == "wrong-nonce"
    table.reveal(1)
    assert table.tick() == [events.Dealt()]
    assert table.race.deck == deck_with(table, 1)


@SECRETS
def test_without_commitments_the_deal_is_settled_immediately(secret: str) -> None:
    table = lobby(2, deal=secret)
    for seat in (1, 2):
        table.do(seat, Ready(1, ""))
    table.settle()
    assert not table.race.revealing
    assert table.race.deck == deck_with(table)
    assert table.tick() == []


def test_an_open_deal_needs_no_nonces_and_no_promise() -> None:
    table = started(2, deal="32001")
    assert table.view()["race"]["promise"] is None
    assert not table.race.revealing and table.race.commitments == {}
    assert table.race.deck == deal.deck_of_number(32001)


@SECRETS
def test_a_late_racer_adds_no_nonce(secret: str) -> None:
    table = started(2, late="join", deal=secret)
    seat = table.join("cem")
    assert table.racer(seat).late
    assert table.refuses(seat, Reveal(1, nonce_of(seat))) == "wrong-nonce"
    table.reveal(1, 2)
    table.settle()
    assert table.race.deck == deck_with(table, 1, 2)


@SECRETS
def test_the_nonce_of_a_racer_who_left_counts(secret: str) -> None:
    table = started(deal=secret)
    table.reveal(1)
    table.do(1, Leave(1))
    table.reveal(2)
    assert table.tick() == []
    table.do(3, Leave(1))
    assert events.Dealt() in table.tick()
    assert table.race.deck == deck_with(table, 1, 2)


def test_rounds_of_tournaments_use_nonces() -> None:
    table = drawn(4)
    table.ready(*table.tournament.seats)
    table.now = (table.tournament.next_at or Ms(0)) - table.room.settings.countdown * SECOND
    table.settle()
    assert table.race.revealing and len(table.race.commitments) == 4
    table.reveal(*table.tournament.seats[:3])
    assert events.Dealt() in table.after(REVEAL_WITHIN)
    assert table.race.deck == deck_with(table, *sorted(table.tournament.seats[:3]))


def test_the_window_is_shorter_than_the_shortest_countdown() -> None:
    table = started(countdown=3)
    assert (table.race.reveal_by or Ms(0)) + REVEAL_BEFORE == table.race.starts_at
    table.now = table.race.reveal_by or Ms(0)
    before = table.race.starts_at
    assert table.tick() == [events.Dealt()]
    assert table.race.starts_at == before, "the cards come exactly at zero"


def test_without_a_deal_the_start_is_postponed() -> None:
    """Redis was away for longer than the whole race: its time begins when it can be dealt."""
    table = started(time_limit=60)
    table.now = (table.race.ends_at or Ms(0)) + MINUTE
    with pytest.raises(Refused, match="not started"):
        decide.check_may_move(table.room, 1, 1, table.now)
    assert table.refuses(1, GiveUp(1)) == "not-started"
    assert not table.race.has_started(table.now)
    table.reveal(1)
    assert table.settle() == [events.Dealt()]
    assert table.race.starts_at == table.now + DEALT_BEFORE
    assert table.race.ends_at == table.now + DEALT_BEFORE + MINUTE
    assert all(racer.racing for racer in table.race.racers.values())
    assert table.race.deck == deck_with(table, 1)


@pytest.mark.parametrize("late", [0, MINUTE, 2 * 60 * MINUTE])
def test_racers_who_leave_before_the_deal_are_no_shows(late: Ms) -> None:
    table = started()
    table.reveal(2)
    table.now = (table.race.starts_at or Ms(0)) + late
    table.do(2, Leave(1))
    table.do(1, Kick(1, 3))
    table.do(1, Leave(1))
    assert table.race.over_at is not None and not table.race.revealing
    assert [racer.state for racer in table.race.racers.values()] == ["did_not_start", "did_not_start", "disqualified"]
    assert table.race.deck == deck_with(table, 2)
    assert table.view()["race"]["nonces"] == {"2": nonce_of(2)}


def test_a_full_log_accepts_nonces() -> None:
    table = started()
    room = replace(table.room, counts=event_limits.Counts(tuple(event_limits.MOST[kind] for kind in event_limits.Kind)))
    assert decide.decide(room, 1, Reveal(1, nonce_of(1)), table.context) == [events.Contributed(1, nonce_of(1))]


def test_each_race_shows_a_promise_of_its_deal() -> None:
    table = lobby(2)
    for number in (1, 2):
        promise, committed = table.race.promise, table.race.commitment
        assert promise is not None and committed is not None
        assert is_promised(promise, CODE, number, committed)
        assert table.view()["race"]["promise"] == promise._asdict()
        if number == 1:
            table.ready(1, 2)
            table.settle()
            table.do(1, Leave(1))
            table.do(2, Leave(1))
            table.join("cem")
            table.do(3, Rematch(1, ""))


def test_racers_can_chat_while_nonces_are_revealed() -> None:
    table = started()
    table.do(1, Chat(1, "key", "Good luck!"))
    assert [line["text"] for line in table.view(racing=True)["chat"].values()] == ["Good luck!"]


def test_a_postponed_start_applies_to_racers_who_left() -> None:
    table = started()
    table.do(2, Leave(1))
    assert events.Dealt() in table.after(Ms(60_000))
    result = table.racer(2).result
    assert result is not None and result.reached_at == table.race.starts_at
