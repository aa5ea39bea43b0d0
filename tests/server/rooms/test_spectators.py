"""Spectators see only the visible prefix, even if the policy or the race changes during a read."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import ChangeSettings, Chat, GiveUp, Predict
from fortythieves.rules.move_notation import DRAW
from fortythieves.times import Ms
from fortythieves_client.reconnecting import decode
from fortythieves_server.common.counters import Counters
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.room_state import Room
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms import spectators
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.peer import Peer, SendQueue
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.redis_errors import StoreDown
from tests.refusals import refusal_of
from tests.server.clients import Client, ann_and_bob, process, store_of, until_each
from tests.server.core.test_visibility import Watcher
from tests.server.rooms.conftest import watching
from tests.server.stores import Admin, pause
from tests.server.tables import MINUTE, Table, counting, in_round, lobby, racing
from tests.shared.players import Dice, greedy_move

DICE = Dice(1)


class Spectator(Peer):
    def __init__(self) -> None:
        super().__init__("", SendQueue(), Counters())
        self.charged = 0

    def charge(self, seconds: float, frame: bytes) -> None:
        self.charged += len(frame)

    async def frames(self) -> list[bytes]:
        frames: list[bytes] = []

        async def take(frame: bytes) -> None:
            frames.append(frame)

        draining = asyncio.create_task(self.send_queue.drain(take))
        await asyncio.sleep(0)
        draining.cancel()
        return frames

    async def messages(self) -> list[to_client.Message]:
        return [decode(frame) for frame in await self.frames()]

    async def kinds(self) -> list[str]:
        return [type(message).__name__ for message in await self.messages()]


class Boards:
    """The boards of a race, as they can be read; or not, while the store is down."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.up = True
        #: Called in the middle of a reading.
        self.meanwhile: Callable[[], object] = lambda: None
        self.reads: list[int] = []
        self.playthroughs = {
            seat: Playthrough(table.race.game, table.race.deck, "turned", table.now) for seat in table.race.racers
        }
        self.progress = table.progress
        self.store = SimpleNamespace(clock=self)
        self.spectators = Spectators(cast("CachedRoom", self))

    @property
    def room(self) -> Room:
        return self.table.room

    def now(self) -> Ms:
        return self.table.now

    async def playthrough(self, race: int, seat: int) -> Playthrough | None:
        self.reads.append(seat)
        if not self.up:
            raise StoreDown("away")
        self.meanwhile()
        return self.playthroughs[seat] if race == self.table.race.number else None

    def draw(self, seat: int, times: int = 1) -> None:
        for _ in range(times):
            self.make(seat, "draw")

    def make(self, seat: int, text: str) -> None:
        self.table.wait(Ms(100))
        self.playthroughs[seat].play(text)
        self.table.progress[seat] = self.playthroughs[seat].confirm(self.table.now, "")

    async def come(self) -> Spectator:
        one = Spectator()
        await self.spectators.refresh()
        self.spectators.enter(one)
        return one

    async def up_to_date(self) -> Spectator:
        """A spectator that has got everything so far."""
        one = await self.come()
        await one.messages()
        return one

    async def news(self, spectator: Spectator) -> list[to_client.Message]:
        await self.spectators.refresh()
        return await spectator.messages()


async def test_a_new_spectator_gets_the_history_of_progress() -> None:
    boards = Boards(racing(2, game="lucas"))
    assert await (await boards.come()).kinds() == ["Gallery", "Hidden"], "nobody has brought a card home"
    starts_at, homes = boards.table.race.starts_at or Ms(0), [(Ms(0), 8)]
    for _ in range(60):
        boards.make(1, str(greedy_move(boards.playthroughs[1].board, DICE)))
        if boards.playthroughs[1].board.home != homes[-1][1]:
            homes.append((boards.table.now - starts_at, boards.playthroughs[1].board.home))
    history, *_ = await (await boards.come()).messages()
    assert history == to_client.History(1, [(1, homes[1:])]) and len(homes) > 5


async def test_a_blind_round_has_no_history() -> None:
    boards = Boards(in_round(2, {"blind": True}, game="lucas"))
    seat = boards.table.race.active[0]
    for _ in range(60):
        boards.make(seat, str(greedy_move(boards.playthroughs[seat].board, DICE)))
    assert boards.playthroughs[seat].board.home > 8
    assert "History" not in await (await boards.come()).kinds()


def seen(messages: list[to_client.Message]) -> dict[int, list[tuple[str, str]]]:
    watcher = Watcher()
    watcher.hear(messages)
    return watcher.entries


async def test_a_racer_that_pads_its_log_sees_no_moves_of_the_leader_as_a_spectator() -> None:
    boards = Boards(racing(2))
    leader, copier = boards.playthroughs[1].board, boards.playthroughs[2].board
    second_device = await boards.up_to_date()
    for n in range(70):
        boards.make(1, str(greedy_move(leader, Dice(n))))
    idle_move = str(next(move for move in copier.legal_moves if move != DRAW))
    for text in [idle_move, "undo"] * 60:
        boards.make(2, text)
    assert await boards.news(second_device) == [], "120 entries that reveal nothing"
    boards.draw(2)
    [shown, hidden] = await boards.news(second_device)
    assert isinstance(shown, to_client.Shown) and hidden == to_client.Hidden(1, 1)
    assert [[text for text, _ in entries].index("draw") for _, _, entries in shown.logs] == [
        len(entries) - 1 for _, _, entries in shown.logs
    ]


async def test_a_bot_that_watches_is_no_person() -> None:
    boards = Boards(racing(2))
    found = [boards.spectators.has_person]
    one = await boards.come()
    for seat in (0, boards.table.join("kasim", bot=True), boards.table.join("cem")):
        one.seat = seat
        found.append(boards.spectators.has_person)
    assert found == [False, True, False, True]


async def test_the_boards_are_encoded_once_for_new_spectators() -> None:
    boards = Boards(racing(2))
    boards.draw(1, 3)
    boards.draw(2, 2)
    first, second = await boards.come(), await boards.come()
    frames, again = await first.frames(), await second.frames()
    assert frames and all(one is other for one, other in zip(frames, again, strict=True))
    assert second.charged == sum(map(len, again)), "and each pays for the bytes"
    boards.draw(1)
    boards.draw(2)
    third, fourth = await boards.come(), await boards.come()
    frames, again = await third.frames(), await fourth.frames()
    assert len(frames) > 2 and all(one is other for one, other in zip(frames, again, strict=True))


@pytest.mark.parametrize("slack", [0, 100, 10_000])
async def test_late_spectators_see_the_same_as_early_ones(slack: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "SLACK", slack)
    boards = Boards(racing(2))
    watcher = await boards.come()
    messages = await watcher.messages()
    for n in range(30):
        boards.draw(1 + n % 2)
        late = await boards.come()
        messages += await watcher.messages()
        late_messages = await late.messages()
        assert seen(late_messages) == seen(messages)
        assert messages[-1] == late_messages[-1], "how much is hidden"


async def test_new_spectators_get_few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "MOST_FRAMES", 10)
    boards = Boards(racing(1))
    for _ in range(40):
        boards.draw(1)
        assert len(await (await boards.come()).frames()) <= 10


async def test_a_narrower_policy_hides_boards_from_new_spectators() -> None:
    boards = Boards(racing(2, watch="open"))
    boards.draw(1, 3)
    first = seen(await (await boards.come()).messages())
    assert len(first[1]) == 3
    boards.table.room = replace(boards.table.room, settings=replace(boards.table.room.settings, watch="progress"))
    assert seen(await (await boards.come()).messages()) == {}


async def test_before_the_start_nothing_is_shown() -> None:
    boards = Boards(counting(2))
    assert await (await boards.come()).messages() == [] and boards.reads == []


async def test_a_failed_read_is_repeated_with_the_next_refresh() -> None:
    boards = Boards(racing(1))
    spectator = await boards.up_to_date()
    boards.draw(1, 2)
    boards.up = False
    with pytest.raises(StoreDown):
        await boards.spectators.refresh()
    assert await spectator.messages() == []
    boards.up = True
    shown = (await boards.news(spectator))[0]
    assert isinstance(shown, to_client.Shown) and [(n, len(entries)) for _, n, entries in shown.logs] == [(0, 2)]
    boards = Boards(racing(1))
    spectator = await boards.up_to_date()
    boards.spectators.forget()
    await boards.spectators.refresh()
    assert await spectator.kinds() == ["Gallery", "Hidden"]


async def test_a_policy_or_a_race_that_changes_during_a_read_applies() -> None:
    boards = Boards(racing(2, watch="open"))
    spectator = await boards.up_to_date()
    boards.draw(1, 2)
    table = boards.table
    boards.meanwhile = lambda: table.happen(events.Changed(table.room.settings.changed({"watch": "progress"})))
    assert await boards.news(spectator) == [to_client.Gallery(1, "progress", None, [])]
    boards = Boards(racing(1))
    boards.meanwhile = lambda: boards.table.happen(events.SetUp("00" * 32))
    assert await (await boards.come()).messages() == []


async def test_spectators_see_moves_from_all_processes(url: str, admin: Admin) -> None:
    async with process(url, "one") as one, process(url, "two") as two:
        await store_of(admin, racing(1), ago=MINUTE)
        ann = await Client(one, "ann").join()
        watchers = [await watching(one, "wanda"), await watching(two, "willi")]
        await ann.draw(3)
        await until_each(watchers, lambda watcher: entries_shown(watcher) == 3)


async def test_boards_are_shown_when_redis_is_back(own_redis: EmbeddedRedis) -> None:
    url = own_redis.url
    async with Admin(url) as admin, process(url, "one") as one, process(url, "two") as two:
        await store_of(admin, racing(2, watch="open"), ago=MINUTE)
        ann, bob = await ann_and_bob(one, two)
        await ann.draw(2)
        await bob.until(lambda: bob.progress.get(1, (0,))[0] == 2 and bob.entries is not None)
        resume = pause(own_redis)
        try:
            other = await watching(two, "other")
            assert other.received(to_client.Gallery) == []
        finally:
            resume()
        await other.until(lambda: other.received(to_client.Gallery))
        assert [(seat, len(entries)) for seat, entries in other.received(to_client.Gallery)[0].logs] == [(1, 2), (2, 0)]


async def test_forbidding_spectators_hides_boards_from_players(url: str, admin: Admin) -> None:
    async with process(url, "one") as service:
        await store_of(admin, lobby(2, watch="open"))
        ann, bob = Client(service, "ann"), Client(service, "bob")
        for client in (ann, bob):
            await client.join()
        assert bob.live is not None
        await service.show_boards(bob.live, bob.peer, True)
        assert bob.live.spectators.peers
        await ann.do(ChangeSettings(1, {"watching": "nobody"}))
        await bob.until(lambda: bob.view["settings"]["watching"] == "nobody")
        assert not bob.live.spectators.peers


async def test_a_projector_stays_while_its_guest_races_and_shows_what_racers_see(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, racing(2, watch="open"), ago=MINUTE)
    ann, bob = await ann_and_bob(one, two)
    wall = await watching(two, "ann", projector=True)
    eve = await watching(two, "eve")
    assert eve.live is not None and wall.live is not None
    await two.spectator_chats(eve.live, eve.peer, Chat(1, "k", "the queen is next"))
    two.react(eve.live, eve.peer, "clap")
    await bob.draw(1)
    await wall.until(lambda: 2 in wall.progress)
    await eve.until(lambda: eve.received(to_client.Reactions) and eve.view["chat"])
    assert not wall.view["chat"] and not wall.received(to_client.Reactions) and not wall.received(to_client.Gallery)
    for asked in (
        two.show_boards(wall.live, wall.peer, True),
        two.spectator_chats(wall.live, wall.peer, Chat(1, "k2", "hello")),
    ):
        assert await refusal_of(asked) == "not-in-room"
    await ann.do(GiveUp(1))
    await wall.until(lambda: wall.view["chat"])
    assert wall.closed is None


async def test_a_prediction_counts_once_on_all_processes_and_no_racer_hears_of_it(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    ann, bob = await ann_and_bob(one, two)
    eve = await watching(two, "eve")
    assert eve.live is not None and ann.live is not None
    await two.predict(eve.live, eve.peer, Predict(1, 2))
    back = await watching(one, "eve")
    assert back.live is not None
    assert await refusal_of(one.predict(back.live, back.peer, Predict(2, 1))) == "no-prediction"
    assert await refusal_of(one.predict(ann.live, ann.peer, Predict(2, 1))) == "racing"
    assert "predicted" not in str([ann.view, bob.view, eve.view])
    await bob.draw(1)
    for client in (ann, bob):
        await client.do(GiveUp(1))
    await eve.until(lambda: eve.view["race"].get("over_at"))
    assert eve.view["race"]["predicted"] == {"2": 1}


async def test_the_start_of_a_race_disconnects_racers_who_watch_but_no_projector(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, lobby(2))
    players = await ann_and_bob(one, two)
    wall, watcher = await watching(two, "ann", projector=True), await watching(two, "ann")
    for player in players:
        await player.ready()
    assert await watcher.until_closed() == Close.TAKEN_OVER
    await wall.until(lambda: wall.view["race"]["starts_at"])
    assert wall.closed is None


def entries_shown(client: Client) -> int:
    logs = [entries for gallery in client.received(to_client.Gallery)[-1:] for _, entries in gallery.logs]
    more = [entries for shown in client.received(to_client.Shown) for _, n, entries in shown.logs if n >= len(logs[0])]
    return sum(map(len, [*logs, *more]))


async def test_a_narrower_policy_stops_waiting_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fortythieves_server.core.visibility.PART", 1)
    boards = Boards(racing(2, watch="open"))
    boards.draw(1, 9)
    spectator = await boards.come()
    table = boards.table
    table.happen(events.Changed(table.room.settings.changed({"watch": "frontier"})))
    first, whole, *_ = await boards.news(spectator)
    assert isinstance(first, to_client.Gallery) and first.policy == "open" and len(first.logs[0][1]) == 1
    assert isinstance(whole, to_client.Gallery) and whole.policy == "frontier"
