"""What a bot of a load makes of what it is told."""

from fortythieves import to_client
from fortythieves_client.load.bots import Racer
from fortythieves_client.load.figures import Figures


def racer() -> Racer:
    return Racer("ws://nowhere/ws", "Bot", Figures(), 1, iter(()))


async def test_what_is_confirmed_is_acknowledged_once() -> None:
    bot = racer()
    for n, text in ((1, "draw"), (1, "draw"), (2, "W-3")):
        bot.hear(to_client.Moved(1, n, text, ""))
    assert bot.acknowledged == ["draw", "W-3"]
    assert bot.figures.acknowledged == 2


async def test_a_board_that_has_forgotten_something_is_a_loss() -> None:
    bot = racer()
    for n, text in ((1, "draw"), (2, "W-3"), (3, "draw")):
        bot.hear(to_client.Moved(1, n, text, ""))
    bot.hear(to_client.OwnBoard(1, [], [("draw", "")]))
    assert (bot.figures.lost, bot.acknowledged) == (2, ["draw"])


async def test_a_board_that_has_more_is_an_acknowledgement() -> None:
    bot = racer()
    bot.hear(to_client.OwnBoard(1, [], [("draw", ""), ("W-3", "")]))
    assert (bot.figures.lost, bot.acknowledged) == (0, ["draw", "W-3"])


async def test_the_end_of_the_race_is_heard_of() -> None:
    bot = racer()
    bot.hear(to_client.RoomState("epoch", 1, 2, {"code": "KQXWVD", "race": {"number": 1}}))
    assert (bot.seat, bot.code, bot.over.is_set()) == (2, "KQXWVD", False)
    bot.hear(to_client.Patch(2, {"race": {"over_at": 5}}))
    assert bot.over.is_set()
