"""The answers to moves agree with the logs in Redis."""

import asyncio

import pytest

from fortythieves.protocol import to_client
from fortythieves.protocol.to_server import GiveUp, Leave
from fortythieves_server.rooms.room_service import RoomService
from tests.server.clients import Client, ann_and_bob, store_of
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, racing, second_race

#: Numbers of races and of entries: some that there are, and some that there are not.
RACES = (0, 1, 2, 3, 999, 2**53)
NUMBERS = (-(2**53), -4, -3, -1, 0, 1, 3, 4, 5, 999, 2**53)


@pytest.mark.parametrize("in_turns", [False, True], ids=["made where it comes in", "waiting its turn"])
async def test_an_acknowledged_move_is_in_the_log_at_its_number(one: RoomService, admin: Admin, in_turns: bool) -> None:
    await store_of(admin, second_race(), ago=MINUTE)
    ann = await Client(one, "ann").join()
    await ann.until(lambda: ann.entries is not None)
    for n in range(3):
        await ann.move("draw", n, race=2)
    await ann.until_moved(3)
    ann.messages.clear()
    asked = [(text, n, race) for race in RACES for n in NUMBERS for text in ("draw", "undo", "1-2")]
    if in_turns:  # All but the first come while that one is being committed.
        asked.insert(0, ("draw", 3, 2))
    moves = (ann.move(*one_of_them) for one_of_them in asked)
    if in_turns:
        await asyncio.gather(*moves)
    else:
        for move in moves:
            await move
    await ann.until(lambda: len(answers(ann)) == len(asked))
    log = await admin.list("moves", 2, 1)
    for (text, n, race), answer in zip(asked, answers(ann), strict=True):
        if isinstance(answer, to_client.Moved):
            assert (answer.race, answer.n, answer.text) == (race, n + 1, text)
            assert race == 2 and 0 <= n < len(log) and log[n].endswith(f" {text}".encode()), answer
        else:
            assert (answer.race, answer.n) == (race, n)
    assert len([answer for answer in answers(ann) if isinstance(answer, to_client.Moved)]) > 3


def answers(client: Client) -> list[to_client.Moved | to_client.Unmoved]:
    return [message for message in client.messages if isinstance(message, to_client.Moved | to_client.Unmoved)]


async def test_a_failing_answer_does_not_affect_other_moves(
    one: RoomService, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann, bob = await ann_and_bob(one, one)
    ann.peer.counts = None  # type: ignore[assignment]  # so that her acknowledgement fails
    await asyncio.gather(ann.move("draw", 0), bob.move("draw", 0))
    await bob.until_moved(1)
    assert "seat 1 failed" in caplog.text
    assert ann.live is not None and not ann.live.cached.seat_log(1).locked


async def test_a_repeated_move_is_acknowledged_after_the_race(one: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann, bob = await ann_and_bob(one, one)
    await ann.draw(2)
    await bob.do(Leave(1))
    await ann.do(GiveUp(1))
    for n, code in ((0, None), (1, None), (2, "finished")):
        ann.messages.clear()
        await ann.move("draw", n)
        await ann.until(lambda: answers(ann))
        [answer] = answers(ann)
        assert getattr(answer, "code", None) == code


async def test_an_early_move_is_acknowledged_after_the_board(one: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann = await Client(one, "ann").join()
    ann.messages.clear()
    ann.peer.entries_sent = None  # As in the moment when a race begins, or is recovered.
    await ann.move("draw", 0)
    await ann.until(lambda: answers(ann))
    shown = [message for message in ann.messages if isinstance(message, to_client.OwnBoard | to_client.Moved)]
    assert isinstance(shown[0], to_client.OwnBoard) and len(shown[0].moves) == 1
    await ann.draw(1)
    assert [moved.n for moved in ann.received(to_client.Moved)] == [1, 2]


async def test_a_racer_whose_board_has_more_moves_than_the_log_is_told_and_gets_the_board(
    one: RoomService, admin: Admin
) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann, _ = await ann_and_bob(one, one)
    await ann.draw(2)
    boards = len(ann.received(to_client.OwnBoard))
    ann.peer.entries_sent = 4  # read from an old master
    await ann.move("draw", 4)
    await ann.until(lambda: len(ann.received(to_client.OwnBoard)) > boards)
    assert ann.notices() == ["data-lost"] and len(ann.entries or ()) == 2
    await ann.draw(1)


async def test_a_move_that_cannot_be_queued_does_not_stay_on_the_board(one: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann = await Client(one, "ann").join()
    await ann.draw(1)
    live = await one.registry.room(CODE)
    await one.store.commits.close()  # from now on no commit is taken
    await ann.move("draw", 1)
    await ann.until(lambda: ann.received(to_client.Unmoved))
    [answer] = ann.received(to_client.Unmoved)
    assert (answer.code, answer.at) == ("store-down", 1)
    assert live.cached.seat_log(1).playthrough is None, "it is read again before the next move"
