"""A whole race by keyboard, with only the information of a screen reader."""

from collections.abc import Mapping, Sequence

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.moves import DRAW, FOUNDATION, WASTE, Move, parse_move
from fortythieves_client.client import Client
from tests.e2e.conftest import Visit
from tests.e2e.listener import Listener, Node, cards_in, home_bound, piles_in, piles_to_play_with
from tests.e2e.prepared import WINS, play
from tests.e2e.table import SUITS, spoken

GAME = "number-ten"
#: The first moves with every kind of move, and the last ones, in which cards move home or the player draws. A program
#: makes those in between.
FIRST, BY_EAR = 21, 6


def told(board: Board) -> Mapping[str, list[str]]:
    """The allowed descriptions of each pile of the board."""
    stock = f"{board.stock_count} card{'' if board.stock_count == 1 else 's'}" if board.stock_count else "empty"
    piles = {"Stock": [stock], "Waste": [_in_full(board.waste)]}
    for suit, name in enumerate(SUITS):
        tops = [spoken(suit * 13 + height - 1) for height in board.foundation(suit) if height]
        both = {" and ".join(tops), " and ".join(reversed(tops))} if tops else {"empty"}
        piles[f"Foundation of {name}"] = sorted(both)
    return piles | {f"Column {number}": [_in_full(column)] for number, column in enumerate(board.columns, 1)}


def _in_full(cards: tuple[int, ...]) -> str:
    down = cards.count(HIDDEN)
    known = [spoken(card) for card in cards if card != HIDDEN]
    return f"from the bottom: {', '.join([*([f'{down} face down'] if down else []), *known])}" if cards else "empty"


async def agrees(listener: Listener, board: Board) -> Mapping[str, str]:
    """Wait until the descriptions agree with the board. Returns them."""
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
    board = Board.deal(game(GAME), deck_of_number(number))
    page = await visit()
    ann = Listener(page)

    # From the front page to the cards.
    await ann.until("button", "Create race")
    await ann.tab_to("textbox", "Your name")
    await page.keyboard.type("Ann")
    await ann.tab_to("radio", "Lucas Easy Thirteen columns, and the aces start on the foundations.")
    while not any(node.focused and node.name.startswith("Number Ten") for node in await ann.tree()):
        await ann.press("ArrowDown")
    await ann.tab_to("textbox", "Deal number")
    await page.keyboard.type(str(number))
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
