"""The counts of a load-test bot."""

from fortythieves.protocol import to_client
from fortythieves.times import Ms
from fortythieves_client.load.bots import Racer
from fortythieves_client.load.results import Results


def racer() -> Racer:
    return Racer("ws://nowhere/ws", "Bot", Results(), 1, ())


async def test_a_confirmed_move_counts_once_and_a_shorter_board_is_a_loss() -> None:
    bot = racer()
    for n, text in ((1, "draw"), (1, "draw"), (2, "W-3")):
        bot.handle(to_client.Moved(1, n, text, ""))
    assert (bot.results.acknowledged, bot.races[1].acknowledged) == (2, ["draw", "W-3"])
    bot.handle(to_client.OwnBoard(1, [], [("draw", ""), ("W-3", ""), ("draw", "")]))
    assert (bot.results.lost, bot.races[1].acknowledged) == (0, ["draw", "W-3", "draw"])
    bot.handle(to_client.OwnBoard(1, [], [("draw", "")]))
    assert (bot.results.lost, bot.races[1].acknowledged) == (2, ["draw"])


async def test_the_end_of_the_race_is_noticed() -> None:
    bot = racer()
    bot.handle(to_client.RoomState("epoch", 1, 2, {"code": "KQXWVD", "race": {"number": 1}}, Ms(0)))
    assert (bot.seat, bot.code, bot.races[1].over.is_set()) == (2, "KQXWVD", False)
    bot.handle(to_client.Patch(2, {"race": {"over_at": 5}}, Ms(0)))
    assert bot.races[1].over.is_set()


async def test_each_race_has_its_own_list() -> None:
    bot = racer()
    bot.handle(to_client.Moved(1, 1, "draw", ""))
    bot.handle(to_client.Patch(9, {"race": {"number": 2, "over_at": None}}, Ms(0)))
    bot.handle(to_client.OwnBoard(2, [], []))
    bot.handle(to_client.Moved(2, 1, "W-3", ""))
    assert [bot.races[number].acknowledged for number in (1, 2)] == [["draw"], ["W-3"]]
    assert bot.results.lost == 0


async def test_the_standings_of_a_round_count_once() -> None:
    bot = racer()
    bot.connection.clock.sample(0, Ms(1000), 0)
    bot.handle(to_client.Patch(9, {"tournament": {"rounds": {"1": {"number": 1}}}}, Ms(0)))
    assert bot.races[1].standings_at is None
    bot.handle(to_client.Patch(10, {"tournament": {"rounds": {"1": {"results": {"1": {}}}}}}, Ms(0)))
    first = bot.races[1].standings_at
    bot.handle(to_client.Patch(11, {"tournament": {"rounds": {"1": {"results": {"2": {}}}}}}, Ms(0)))
    assert bot.races[1].standings_at == first is not None
