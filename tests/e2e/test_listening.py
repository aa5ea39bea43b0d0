"""A whole race by keyboard, with only the information of a screen reader: the accessibility tree."""

import asyncio
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import pytest
from playwright.async_api import CDPSession, Page

from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, Card
from fortythieves.rules.move_notation import DRAW, FOUNDATION, WASTE, Move, parse_move
from fortythieves_client.client import Client
from tests.e2e.conftest import TOKEN, Visit
from tests.e2e.prepared import WINS, board_of, play
from tests.e2e.table import RANKS, SUITS, TIMEOUT, spoken

GAME = "number-ten"
#: The first moves with every kind of move, and the last ones, in which cards move home or the player draws. A program
#: makes those in between.
FIRST, BY_EAR = 21, 6

#: Seconds between two readings of the tree; one costs 15 ms of CPU time.
PAUSE = 0.03

#: The region with the cards of each pile.
LIST = "Cards by pile"
T = TypeVar("T")
_CARD = re.compile(f"({'|'.join(RANKS)}) of ({'|'.join(SUITS)})")


class Node(NamedTuple):
    role: str
    name: str
    #: Its ancestors, the outermost first.
    inside: tuple[tuple[str, str], ...]
    focused: bool
    live: str


class Listener:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession | None = None
        #: The tree as it was read last, if no key was pressed since.
        self._read: Sequence[Node] | None = None

    async def tree(self) -> Sequence[Node]:
        if self._session is None:
            self._session = await self.page.context.new_cdp_session(self.page)
        nodes = (await self._session.send("Accessibility.getFullAXTree"))["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}

        def walk(node_id: str, inside: tuple[tuple[str, str], ...]) -> Iterator[Node]:
            node = by_id.get(node_id)
            if node is None:
                return
            if not node["ignored"]:
                role, name = node["role"]["value"], node.get("name", {}).get("value", "")
                is_set = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                yield Node(role, name, inside, bool(is_set.get("focused")), is_set.get("live", ""))
                inside = (*inside, (role, name))
            for child in node.get("childIds", ()):
                yield from walk(child, inside)

        return list(walk(nodes[0]["nodeId"], ()))

    async def find(self, look: Callable[[Sequence[Node]], T]) -> T:
        """Read the tree since the last key until the result is true."""
        async with asyncio.timeout(TIMEOUT / 1000):
            while True:
                self._read = self._read or await self.tree()
                if found := look(self._read):
                    return found
                await asyncio.sleep(PAUSE)
                self._read = None

    async def until(self, role: str, name: str) -> None:
        await self.find(lambda tree: any(node.role == role and name in node.name for node in tree))

    async def hears(self, text: str) -> None:
        await self.find(lambda tree: any(text in said for said in said_in(tree)))

    async def picked_up(self) -> int:
        def count(tree: Sequence[Node]) -> int:
            found = re.search(r"Picked up (?:(\d+) cards)?", "\n".join(said_in(tree)))
            return int(found[1] or 1) if found else 0

        return await self.find(count)

    async def tab_to(self, role: str, name: str) -> None:
        for _ in range(60):
            await self.page.keyboard.press("Tab")
            if any(node.focused and (node.role, node.name) == (role, name) for node in await self.tree()):
                return
        raise AssertionError(f"no way by Tab to {role} {name!r}")

    async def press(self, *keys: str) -> None:
        self._read = None
        for key in keys:
            await self.page.keyboard.press(key)


def said_in(tree: Sequence[Node]) -> Sequence[str]:
    return [
        " ".join(one.name for one in _content(tree, at) if one.role == "StaticText")
        for at, node in enumerate(tree)
        if node.live == "polite"
    ]


def piles_in(tree: Sequence[Node]) -> Mapping[str, str]:
    """The description of the cards, by pile: ``{"Column 3": "from the bottom: ...", "Stock": "56 cards"}``."""
    inside = ("list", LIST)
    told = [node.name for node in tree if node.role == "StaticText" and inside in node.inside]
    return dict(re.split(r"[,:] ", text, maxsplit=1) for text in told)


def piles_to_play_with(tree: Sequence[Node]) -> Mapping[str, str]:
    named = [node for node in tree if node.role == "button"]
    played = [node.name for node in named if any(role == "application" for role, _ in node.inside)]
    return dict(name.split(": ", 1) for name in played)


def cards_in(text: str) -> Sequence[Card]:
    return [SUITS.index(suit) * 13 + RANKS.index(rank) for rank, suit in _CARD.findall(text)]


def home_bound(piles: Mapping[str, str]) -> str | None:
    """A pile with a last card for a foundation, by the descriptions."""
    tops: dict[int, list[int]] = {suit: [-1, -1] for suit in range(4)}
    for suit, name in enumerate(SUITS):
        for nth, card in enumerate(cards_in(piles[f"Foundation of {name}"])):
            tops[suit][nth] = card % 13
    for pile, told in piles.items():
        cards = cards_in(told)
        if cards and not pile.startswith("Foundation") and cards[-1] % 13 - 1 in tops[cards[-1] // 13]:
            return pile
    return None


def _content(tree: Sequence[Node], at: int) -> Iterator[Node]:
    """All that is inside of a node, which follows it in the tree."""
    depth = len(tree[at].inside)
    return itertools.takewhile(lambda one: len(one.inside) > depth, itertools.islice(tree, at + 1, None))


def told(board: Board) -> Mapping[str, list[str]]:
    stock = f"{board.stock_count} card{'' if board.stock_count == 1 else 's'}" if board.stock_count else "empty"
    piles = {"Stock": [stock], "Waste": [_in_full(board.waste)]}
    for suit, name in enumerate(SUITS):
        tops = [spoken(suit * 13 + height - 1) for height in board.foundations[suit] if height]
        both = {" and ".join(tops), " and ".join(reversed(tops))} if tops else {"empty"}
        piles[f"Foundation of {name}"] = sorted(both)
    return piles | {f"Column {number}": [_in_full(column)] for number, column in enumerate(board.columns, 1)}


def _in_full(cards: tuple[int, ...]) -> str:
    down = cards.count(HIDDEN)
    known = [spoken(card) for card in cards if card != HIDDEN]
    return f"from the bottom: {', '.join([*([f'{down} face down'] if down else []), *known])}" if cards else "empty"


async def agrees(listener: Listener, board: Board) -> Mapping[str, str]:
    those = told(board)

    def agreeing(tree: Sequence[Node]) -> Mapping[str, str]:
        piles = piles_in(tree)
        return piles if piles.keys() == those.keys() and all(piles[pile] in those[pile] for pile in those) else {}

    return await listener.find(agreeing)


def key_of(pile: str) -> str:
    return "w" if pile == "Waste" else f"Digit{int(pile.removeprefix('Column ')) % 10}"


def number_of(pile: str) -> int:
    return WASTE if pile == "Waste" else int(pile.removeprefix("Column "))


@pytest.mark.long
async def test_a_race_is_playable_with_a_screen_reader_and_keys(visit: Visit) -> None:
    win = WINS[GAME]
    number, moves = win["number"], win["moves"]
    board = board_of(GAME)
    page = await visit()
    ann = Listener(page)

    # From the front page to the cards.
    await ann.until("button", "Create race")
    await ann.tab_to("textbox", "Your name")
    await page.keyboard.type("Ann")
    await ann.tab_to("radio", "Lucas Easy Thirteen columns, and the aces start on the foundations.")
    while not any(node.focused and node.name.startswith("Number Ten") for node in await ann.tree()):
        await ann.press("ArrowDown")
    await ann.tab_to("button", "Choose a deal")
    await ann.press("Enter")
    await ann.until("textbox", "Deal number")
    await ann.tab_to("textbox", "Deal number")
    await page.keyboard.type(str(number))
    await ann.press("Enter")
    for button in ("Race a friend", "Start race"):
        await ann.until("button", button)
        await ann.tab_to("button", button)
        await ann.press("Enter")
    await ann.until("timer", "Time")
    await ann.until("application", "Piles. Press the question mark for the keys.")

    # For these moves, the piles announce the lifted cards and their targets.
    piles = await agrees(ann, board)
    for text in moves[:FIRST]:
        move = parse_move(text)
        if move == DRAW:
            await ann.press("Space")
        else:
            source = f"Column {move.source}" if move.source > WASTE else "Waste"
            await ann.press(key_of(source))
            # A column's whole sequence is picked up first; each arrow down puts a card of it back.
            for _ in range(await ann.picked_up() - move.count):
                await ann.press("ArrowDown")
            card = cards_in(piles[source])[-move.count]
            some = f"{move.count} cards, starting with " if move.count > 1 else ""
            await ann.hears(f"Picked up {some}{spoken(card)}.")
            named = await ann.find(piles_to_play_with)
            assert named[source].endswith(", picked up")
            target = "Foundation of " + SUITS[card // 13] if move.target == FOUNDATION else f"Column {move.target}"
            assert named[target].endswith(", legal move")
            await ann.press("f" if move.target == FOUNDATION else key_of(target))
            # The announcement follows the change of the piles.
            await ann.hears("Moved ")
        board.play(move)
        piles = await agrees(ann, board)

    await page.wait_for_function("() => seen.unanswered === 0")
    code = page.url.rsplit("/", 1)[1]
    token = await page.evaluate("localStorage.getItem('forty-thieves.token')")
    assert TOKEN.fullmatch(token)
    async with Client(page.url, token=token) as elsewhere:
        await elsewhere.join("Ann", code)
        await play(elsewhere, moves[FIRST:-BY_EAR])
    await page.reload()
    for text in moves[FIRST:-BY_EAR]:
        board.play(parse_move(text))

    # The end is played by the descriptions alone.
    while board.outcome is None:
        piles = await agrees(ann, board)
        pile = home_bound(piles)
        if pile is None:
            board.play(DRAW)
            await ann.press("Space")
            if board.outcome is None:
                await ann.hears(f"Drew {spoken(board.waste[-1])}.")
        else:
            card = cards_in(piles[pile])[-1]
            board.play(Move(number_of(pile), FOUNDATION, 1))
            await ann.press(key_of(pile), "f")
            if board.outcome is None:
                await ann.hears(f"Moved {spoken(card)} to the foundation.")
    assert board.outcome == "won"

    await ann.until("heading", "You won!")
    assert any(node.focused and node.role == "heading" for node in await ann.tree())
    record = await (await page.request.get(f"/api/races/{code}/1.json")).json()
    (racer,) = record["racers"]
    assert (racer["state"], racer["home"], racer["moves"]) == ("solved", 104, len(board.history))
