"""A blind player: reads the accessibility tree and presses keys."""

import asyncio
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from playwright.async_api import CDPSession, Page

from fortythieves.rules.cards import Card
from tests.e2e.table import RANKS, SUITS, TIMEOUT

#: Seconds between two readings of the tree; one costs 15 ms of CPU time.
PAUSE = 0.03

#: The region with the cards of each pile.
LIST = "Cards by pile"
T = TypeVar("T")
_CARD = re.compile(f"({'|'.join(RANKS)}) of ({'|'.join(SUITS)})")


class Node(NamedTuple):
    """One thing in the accessibility tree."""

    role: str
    name: str
    #: Its ancestors, the outermost first.
    inside: tuple[tuple[str, str], ...]
    focused: bool
    live: str


class Listener:
    """Listens to one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession | None = None
        #: The tree as it was read last, if no key was pressed since.
        self._read: Sequence[Node] | None = None

    async def tree(self) -> Sequence[Node]:
        """Everything that is in the page for a screen reader, in its order."""
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
        """Wait until something with this role and a name that contains this is there."""
        await self.find(lambda tree: any(node.role == role and name in node.name for node in tree))

    async def hears(self, text: str) -> None:
        """Wait until a live region announces this."""
        await self.find(lambda tree: any(text in said for said in said_in(tree)))

    async def picked_up(self) -> int:
        """Wait until the page announces the lifted cards. Returns their number."""

        def count(tree: Sequence[Node]) -> int:
            found = re.search(r"Picked up (?:(\d+) cards)?", "\n".join(said_in(tree)))
            return int(found[1] or 1) if found else 0

        return await self.find(count)

    async def tab_to(self, role: str, name: str) -> None:
        """Press Tab until the focus is there."""
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
    """The texts of live regions."""
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
    """The names of the piles that take keys: "Column 3" and others."""
    named = [node for node in tree if node.role == "button"]
    played = [node.name for node in named if any(role == "application" for role, _ in node.inside)]
    return dict(name.split(": ", 1) for name in played)


def cards_in(text: str) -> Sequence[Card]:
    """The cards that a text names, in its order."""
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
