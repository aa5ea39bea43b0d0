"""No frame shows a racer an unrevealed card, or a spectator more than the policy allows at that moment.

Racers play at random in all nine games. Spectators watch from before the race and from the middle, on broken
connections, at seats, and after their own race. The test keeps every frame. It computes the allowed entries from the
times when moves were *sent*, which is before the server could know them.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
import pytest_asyncio

from fortythieves.rules.board import Board
from fortythieves.rules.cards import card_name, names
from fortythieves.rules.games import GAMES, game
from fortythieves_server.core.evolve import replay
from fortythieves_server.core.room_state import Race
from tests.integration.racer import CARDS, CLOCKS, Racer, check, texts_in, turned_by
from tests.integration.raw import Moment, Received
from tests.integration.spectator import Spectator, by_our_clock
from tests.server.redises import HURRY, in_a_hurry
from tests.server.stores import opened
from tests.serving import HASTY, serving
from tests.shared.seen import seen_after_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

WINS = {win["game"]: win for win in json.loads((Path(__file__).parents[2] / "shared/vectors/wins.json").read_text())}

#: The number of actions of Ann and Bob. Bob stops earlier, so the boards wait for him.
ANN_DOES, BOB_DOES = 60, 30

#: A move between piles, in any text.
MOVES = re.compile(r"(?<![\w-])(?:W|[0-9]{1,2})-(?:F|[0-9]{1,2})(?:x[0-9]+)?(?![\w-])")

#: The first policy of a room, and its changes.
POLICIES: Sequence[Sequence[dict[str, Any]]] = (
    [{"watch": "progress"}],
    [{"watch": "open"}, {"watch": "frontier"}, {"watch": "progress"}],
    [{"watch": "delayed", "delay": 10}],
    [{"watch": "open"}],
    [{"watch": "frontier"}, {"watch": "progress"}],
    [{"watch": "delayed", "delay": 10}, {"watch": "delayed", "delay": 11}, {"watch": "frontier"}],
    [{"watch": "open"}, {"watch": "delayed", "delay": 10}],
    [{"watch": "open"}, {"watch": "frontier"}],
    [{"watch": "frontier"}],
)
#: Races with the frontier only, one for each kind of undo and of late players. Those from 9 on have the policies above.
FRONTIERS = 0, 4, 8
#: The policies, from the least to the most visible.
WIDTH = ("progress", "frontier", "delayed", "open")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def redis(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with in_a_hurry(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(redis: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with serving(tmp_path_factory.mktemp("data"), redis=redis, times=HASTY) as address:
        yield address


class Room(NamedTuple):
    """One room of the test with its clients."""

    code: str
    settings: Mapping[str, Any]
    racers: Mapping[int, Racer]
    spectators: Sequence[Spectator]


class Stage:
    """A race, and the actions of the others after certain moves of Ann."""

    def __init__(self, address: str, number: int) -> None:
        self.address = address
        self.number = number
        key = list(GAMES)[number % len(GAMES)]
        policies = [{"watch": "frontier"}] if number < len(GAMES) else POLICIES[number - len(GAMES)]
        self.first: Mapping[str, Any] = policies[0]
        self.then: Sequence[Mapping[str, Any]] = policies[1:]
        joins = number % 3 == 2 and self.first["watch"] in {"progress", "frontier"}
        #: A fast winner needs a deal with a known win.
        self.win: Mapping[str, Any] | None = WINS.get(key) if number % 2 else None
        self.settings: dict[str, Any] = {
            "game": key,
            "undo": ("none", "turned", "free")[number % 3],
            "late": "join" if joins else ("watch", "refuse")[number % 2],
            "countdown": 3,
            "auto_start": False,
            "deal": str(self.win["number"]) if self.win else "secret",
            **self.first,
        }
        of = game(key)
        self.ann, self.bob, self.cem, self.eve = (
            Racer(address, of, name, 10 * number + at) for at, name in enumerate(("Ann", "Bob", "Cem", "Eve"))
        )
        self.early, self.late, self.seated, self.done = (
            Spectator(address, name) for name in ("Early", "Late", "Seated", "Done")
        )
        self.spectators: list[Spectator] = []

    async def run(self) -> Room:
        ann, bob, cem, eve = self.ann, self.bob, self.cem, self.eve
        racers = [ann, bob, *([cem] if self.win else [])]
        for racer in racers:
            await racer.connect()
        await ann.sit_down("create", ann.name, self.settings)
        for racer in racers[1:]:
            await racer.join(ann.code)
        await self.comes(self.early)
        for racer in racers:
            commitment = "".join(racer.dice.choices("0123456789abcdef", k=64))
            assert await racer.client.ask("ready", commitment) == "ok"
        assert await ann.client.ask("start") == "ok"
        for racer in racers:
            await racer.deal()
        await asyncio.gather(self.ann_plays(), self.bob_plays(), self.cem_solves())
        if self.settings["late"] == "join":
            racers.append(eve)
        if self.first["watch"] == "delayed" and not self.then:
            # Wait until an entry is old enough.
            await self.early.until(lambda: any(said[3] for said in self.early.received("gallery")))
            await self.early.until(lambda: self.early.received("shown"))
        for racer in (racer for racer in racers if racer is not cem):
            await racer.leave()
        for spectator in self.spectators:
            await spectator.until_over()
            await spectator.hang_up()
        for racer in racers:
            await racer.hang_up()
        return Room(ann.code, self.settings, {racer.seat: racer for racer in racers}, self.spectators)

    async def comes(self, spectator: Spectator) -> None:
        self.spectators.append(spectator)
        await spectator.connect()
        await spectator.watch(self.ann.code)

    async def ann_plays(self) -> None:
        ann = self.ann
        at: Mapping[int, Callable[[], Awaitable[object]]] = {
            8: partial(self.comes, self.late),
            12: self.nobody_who_races_watches,
            16: partial(self.early.come_back, ann.code),
            20: self.nobody_is_given_the_record,
            24: partial(self.switch, 0),
            28: self.somebody_comes_late,
            36: partial(self.switch, 1),
            44: partial(self.early.ask, "look", True),
            48: partial(self.late.come_back, ann.code),
        }
        for k in range(ANN_DOES):
            await ann.act()
            if k in at:
                await at[k]()

    async def bob_plays(self) -> None:
        for _ in range(BOB_DOES):
            await self.bob.act()

    async def cem_solves(self) -> None:
        """Win the deal, then watch."""
        if not self.win:
            return
        for text in self.win["moves"]:
            await self.cem.enter(text)
        await self.cem.until_solved()
        # The same seat watches on another connection.
        self.done.token = self.cem.token
        await self.done.connect()
        assert await self.done.ask("join", self.ann.code, "Cem", None) == "ok"
        assert await self.done.ask("look", True) == "ok"
        self.spectators.append(self.done)

    async def nobody_who_races_watches(self) -> None:
        assert await self.ann.client.ask("look", True) == "racing"
        again = Spectator(self.address, "Ann")
        again.token = self.ann.token
        await again.connect()
        assert await again.ask("watch", self.ann.code, "Ann") == "racing"
        await again.hang_up()

    async def nobody_is_given_the_record(self) -> None:
        async with aiohttp.ClientSession() as session:
            for form in ("", ".json"):
                async with session.get(f"{self.address}/api/races/{self.ann.code}/1{form}") as answer:
                    assert answer.status == 409
                    said = await answer.json()
                    assert said.keys() == {"error"} and said["error"]["code"] == "not-over-yet"
                    assert not CARDS.search(said["error"]["message"].replace(self.ann.code, ""))

    async def switch(self, to: int) -> None:
        """The host can show less, but not more."""
        if to < len(self.then):
            assert await self.ann.client.ask("settings", self.then[to]) == "ok"
        now = [self.first, *self.then][: to + 2][-1]["watch"]
        for wider in WIDTH[WIDTH.index(now) + 1 :]:
            joins = self.settings["late"] == "join" and wider in {"delayed", "open"}
            assert await self.ann.client.ask("settings", {"watch": wider}) == ("bad-settings" if joins else "not-wider")

    async def somebody_comes_late(self) -> None:
        code, late = self.ann.code, self.settings["late"]
        if late == "join":
            await self.eve.connect()
            await self.eve.join(code)
            await self.eve.deal()
            for _ in range(5):
                await self.eve.act()
            return
        await self.seated.connect()
        if late == "refuse":
            assert await self.seated.ask("join", code, "Seated", None) == "started"
            await self.seated.watch(code)
        else:
            assert await self.seated.ask("join", code, "Seated", None) == "ok"
            assert await self.seated.ask("look", True) == "ok"
        self.spectators.append(self.seated)


class Facts:
    """The true course of a race, and the entries that may be known at each time."""

    def __init__(self, room: Room, race: Race, starts_at: float, texts: Mapping[int, Sequence[str]]) -> None:
        self.race = race
        #: By the clock of the test (ms).
        self.starts_at = starts_at
        self.room = room
        of = race.game
        self.start = [names(column) for column in Board.deal(of, race.deck).start()]
        self.logs: dict[int, list[list[str]]] = {}
        for seat, log in texts.items():
            board = Board.deal(of, race.deck)
            self.logs[seat] = [[text, turned_by(board, text)] for text in log]
        self.seen = {seat: seen_after_each(of, log) for seat, log in texts.items()}
        self.sent = {seat: racer.sent for seat, racer in room.racers.items()}
        self.done = {seat: self._done(seat, racer) for seat, racer in room.racers.items()}

    def _done(self, seat: int, racer: Racer) -> Moment:
        """The earliest time at which the seat may be done."""
        if self.race.racers[seat].state in {"solved", "stuck"}:
            return racer.sent[-1]
        assert racer.left is not None
        return racer.left

    def made(self, seat: int, when: Moment) -> int:
        """The most entries that the seat may have made."""
        return sum(sent < when for sent in self.sent[seat])

    def check(self, settings: Mapping[str, Any], when: Moment, shows: Mapping[int, int], *, start: bool) -> None:
        """Check that the policy allows this number of entries at a moment."""
        active = [seat for seat, done in self.done.items() if done > when]
        made = {seat: self.made(seat, when) for seat in self.logs}
        for seat, n in shows.items():
            assert n <= made[seat], "nothing is shown before it is sent"
        if not active or settings["watch"] == "open":
            return
        match settings["watch"]:
            case "progress":
                assert not start and not any(shows.values())
            case "delayed":
                until = when.at - settings["delay"] * 1000 / HURRY + CLOCKS
                assert not start or self.starts_at <= until
                for seat, n in shows.items():
                    assert all(sent.at <= until for sent in self.sent[seat][:n])
            case "frontier" if settings["late"] == "join" or settings["undo"] == "free":
                assert not any(shows.values())
            case "frontier":
                knows = [self.seen[seat][made[seat]] for seat in active]
                for seat, n in shows.items():
                    assert all(self.seen[seat][n] <= known for known in knows)
                    # Each move was made by somebody who knew fewer cards than each active racer.
                    assert all(self.seen[seat][at] < known for at in range(n) for known in knows)
            case other:
                raise AssertionError(f"there is no policy {other}")


class Watched(NamedTuple):
    """All entries that a connection got before and after the end."""

    before: int
    after: Mapping[int, int]


def check_stream(stream: Sequence[Received], facts: Facts) -> Watched:
    """Check every frame of one connection."""
    settings: dict[str, Any] = {}
    shows: dict[int, int] = {}
    before, over = 0, False
    secret = facts.race.secret
    for one in stream:
        message = one.message
        match message:
            case ["gallery", 1, policy, start, logs]:
                assert start in (None, facts.start)
                assert all(entries == facts.logs[seat][: len(entries)] for seat, entries in logs)
                shows = {seat: len(entries) for seat, entries in logs}
                over = over or policy == "over"
                facts.check(settings, one.when, shows, start=start is not None)
            case ["shown", 1, logs]:
                for seat, n, entries in logs:
                    assert shows[seat] == n, "shown goes on where the last one ended"
                    assert entries == facts.logs[seat][n : n + len(entries)]
                    shows[seat] = n + len(entries)
                facts.check(settings, one.when, shows, start=True)
            case ["hidden", 1, stock]:
                for seat in (seat for seat, done in facts.done.items() if done > one.when):
                    known = facts.seen[seat][facts.made(seat, one.when)]
                    assert stock <= sum(card.startswith("stock/") for card in known)
            case ["board", 1, start, moves]:  # to a racer who is done
                assert start == facts.start and moves == facts.logs[3][: len(moves)]
            case ["moved", 1, n, text, turned]:
                assert [text, turned] == facts.logs[3][n - 1]
            case ["room", _, _, _, view, _]:
                settings = dict(view["settings"])
                hides_cards(message, facts.room.code)
            case ["patch", _, patch, _]:
                settings.update(patch.get("settings", {}))
                hides_cards(message, facts.room.code)
            case _:
                hides_cards(message, facts.room.code)
        if not over:
            before = max(before, sum(shows.values()))
            if any(done > one.when for done in facts.done.values()):
                assert secret.encode() not in one.frame and bytes.fromhex(secret) not in one.frame
    return Watched(before, shows)


def hides_cards(message: list[Any], code: str) -> None:
    for text in texts_in(message):
        assert text == code or not CARDS.search(text), message
        assert text not in {"draw", "redeal"} and not MOVES.search(text), message


@pytest.mark.long
async def test_racers_see_only_revealed_cards_and_spectators_what_the_policy_allows(redis: str, address: str) -> None:
    rooms = await asyncio.gather(*[Stage(address, number).run() for number in (*FRONTIERS, *range(9, 18))])
    ours = await by_our_clock(redis)
    shown: dict[str, int] = dict.fromkeys(WIDTH, 0)
    async with opened(redis, "reader") as store:
        for room in rooms:
            log = await store.logs.read(room.code)
            assert log is not None
            race = replay(log.entries).race
            moves = {seat: await store.logs.moves(room.code, 1, seat) for seat in race.racers}
            assert race.starts_at is not None
            texts = {seat: [text for _, text in log] for seat, log in moves.items()}
            facts = Facts(room, race, ours(race.starts_at), texts)
            for seat, racer in room.racers.items():
                check(racer, race, ours(race.starts_at), texts[seat])
            for spectator in room.spectators:
                watched = [check_stream(stream, facts) for stream in spectator.streams]
                assert watched[-1].after == {seat: len(log) for seat, log in facts.logs.items()}
                shown[room.settings["watch"]] += sum(each.before for each in watched)
    assert shown["progress"] == 0
    assert all(shown[policy] for policy in WIDTH[1:]), "what shows nothing at all gives nothing away, and is no use"


async def test_the_search_for_cards_finds_them_in_every_text() -> None:
    assert all(CARDS.search(f"the {card_name(card)}, face down") for card in range(52))
    assert CARDS.search("TH4C2S") and CARDS.search("(KD)")
    assert not CARDS.search("3-7x4 W-F draw is not allowed here: a column is built down in one suit.")


class Solver(Racer):
    """A racer that plays a winning line, and can stop before its last move."""

    def __init__(self, address: str, name: str, key: str = "lucas") -> None:
        super().__init__(address, game(key), name, 0)
        self.moves: Sequence[str] = WINS[key]["moves"]
        self.deal_number = str(WINS[key]["number"])

    async def solve(self, *, leaving: int = 0) -> None:
        for text in self.moves[self.n : len(self.moves) - leaving]:
            await self.enter(text)


async def two_solvers(address: str, **settings: Any) -> tuple[Solver, Solver]:
    """Ann and Bob in a lobby with a deal that they can win."""
    ann, bob = Solver(address, "Ann"), Solver(address, "Bob")
    for racer in (ann, bob):
        await racer.connect()
    deal = {"game": "lucas", "deal": ann.deal_number, "countdown": 3, "auto_start": False, **settings}
    await ann.sit_down("create", "Ann", deal)
    await bob.join(ann.code)
    return ann, bob


async def begin(*racers: Solver) -> None:
    assert await racers[0].client.ask("start") == "ok"
    for racer in racers:
        await racer.deal()


async def spectator(address: str, name: str, token: str | None = None, *, of: str = "") -> Spectator:
    """A connected spectator, in this room if one is given."""
    one = Spectator(address, name)
    one.token = token
    await one.connect()
    if of:
        await one.watch(of)
    return one


async def part(*everybody: Racer | Spectator) -> None:
    for one in everybody:
        await one.hang_up()


async def test_a_racer_that_watched_before_the_race_sees_only_its_own_board(address: str) -> None:
    ann, bob = await two_solvers(address, watch="open")
    assert await bob.client.ask("look", True) == "ok"
    again = await spectator(address, "Bob", bob.token, of=ann.code)
    await begin(ann, bob)
    assert await again.until_closed() == 4001
    await ann.solve(leaving=1)
    assert await bob.client.ask("look", True) == "racing"
    assert await bob.client.ask("chat", "k", "hi") == "ok"
    assert not {"gallery", "shown", "hidden"} & {one.message[0] for one in bob.client.received}
    assert not again.received("gallery", "shown", "hidden")
    await part(ann, bob, again)


async def test_a_player_outside_the_room_sees_no_boards(address: str) -> None:
    ann, bob = await two_solvers(address, watch="open")
    assert await bob.client.ask("look", True) == "ok"
    await begin(ann, bob)
    assert await bob.client.ask("leave") == "ok"
    assert await bob.client.ask("look", True) == "not-in-room"
    await ann.solve(leaving=1)
    assert await bob.client.ask("look", True) == "not-in-room"
    assert not {"gallery", "shown"} & {one.message[0] for one in bob.client.received}
    await part(ann, bob)


async def test_spectators_are_disconnected_when_the_host_allows_none(address: str) -> None:
    ann, bob = await two_solvers(address)
    watcher = await spectator(address, "Wanda", of=ann.code)
    assert await ann.client.ask("settings", {"watching": "nobody"}) == "ok"
    assert await watcher.until_closed() == 4002
    await part(ann, bob, watcher)


async def test_a_kicked_player_cannot_watch_on_any_connection(address: str) -> None:
    ann, bob = await two_solvers(address, watch="open")
    again = await spectator(address, "Robert", bob.token, of=ann.code)
    assert await ann.client.ask("kick", bob.seat) == "ok"
    assert await again.until_closed() == 4002
    assert await bob.client.closed() == 4002
    once_more = await spectator(address, "Robert", bob.token)
    assert await once_more.ask("watch", ann.code, "Robert") == "kicked"
    await part(again, once_more, ann, bob)
