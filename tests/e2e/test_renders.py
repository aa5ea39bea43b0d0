"""The page of a race renders only changed parts, once. The test counts calls, not times."""

from playwright.async_api import expect

from tests.e2e.conftest import Visit
from tests.e2e.player import Onlooker, Player
from tests.e2e.prepared import duel, play, seat_of
from tests.e2e.renders import Renders

#: An open deal with early moves.
GAME, NUMBER = "streets", 32749

#: The parts of the page, by their content; the table draws the cards.
PARTS = {
    "page": "race-board",
    "cards": "ft-gone",
    "racers": "race-lanes-wide",
    "row": "lane-met",
    "undo": "race-undo",
    "clock": "race-clock",
}

WATCHED = {"page": "watch-replay", "lists": "picks lanes", "heads": "tile-state", "boards": "table-place"}

#: Each racer is in two lists: one is for wide screens, one for narrow ones.
LISTS = 2

COUNT_CLOCK = """() => {
    globalThis.texts = 0
    const changed = (changes) => (texts += changes.length)
    new MutationObserver(changed).observe(document.querySelector('.race-clock'), { characterData: true, subtree: true })
}"""


async def test_only_changes_are_rendered_once_while_racers_play_or_wait(address: str, visit: Visit) -> None:
    async with duel(address, game=GAME, deal=str(NUMBER), undo="free") as race:
        await play(race.bob, ["draw", "draw"])
        await race.ann.close()
        ann = Player(await visit("about:blank", seat=seat_of(race.ann)), "Ann")
        renders = await Renders.of(ann.page, PARTS)
        async with ann.page.expect_websocket() as connecting:
            await ann.page.goto(f"/r/{race.code}")
        connection = await connecting.value
        await ann.deal(GAME, NUMBER)
        await expect(ann.lane(2)).to_contain_text("2 moves")
        await renders.since()
        assert ann.board is not None
        move = next(move for move in ann.board.legal_moves if min(move) > 0)
        # The move is not rendered again when it is confirmed.
        async with connection.expect_event("framereceived", lambda frame: b"moved" in bytes(frame)):
            await ann.play(str(move))
        counts = await renders.since()
        # The cards first as they are lifted, then as they lie.
        assert {**counts, "clock": 0} == {"page": 0, "cards": 2, "racers": 1, "row": LISTS, "undo": 1, "clock": 0}

        for moves in (3, 4, 5):
            await race.bob.play("draw")
            await expect(ann.lane(2)).to_contain_text(f"{moves} moves")
        counts = await renders.since()
        assert {**counts, "clock": 0} == {"page": 0, "cards": 0, "racers": 3, "row": 3 * LISTS, "undo": 0, "clock": 0}

        await ann.page.evaluate(COUNT_CLOCK)
        await renders.since()
        await ann.page.wait_for_function("() => texts >= 6")
        counts = await renders.since()
        assert 0 < counts.pop("clock") <= await ann.page.evaluate("texts")
        assert set(counts.values()) == {0}

        # The counted parts are the expected ones.
        await ann.button("Chat").click()
        await expect(ann.page.get_by_label("Message")).to_be_visible()
        assert (await renders.since())["page"] == 1


async def test_a_watched_move_renders_only_the_lists_and_its_board_head(address: str, visit: Visit) -> None:
    async with duel(address, game=GAME, deal=str(NUMBER)) as race:
        eve = Onlooker(await visit("about:blank"))
        renders = await Renders.of(eve.page, WATCHED)
        await eve.page.goto(f"/r/{race.code}/w")
        await eve.sees(1, 2)
        # Who has chosen a board does not follow the leader, which renders the page at each change.
        await eve.press("2", "2")
        await eve.sees(1, 2)
        await race.bob.play("draw")
        await expect(eve.board_of(2)).to_contain_text("move 0 of 1")
        await renders.since()
        for moves in (2, 3, 4):
            await race.bob.play("draw")
            await expect(eve.board_of(2)).to_contain_text(f"move 0 of {moves}")
        # Ann has made no move, so that no board may go on.
        assert await renders.since() == {"page": 0, "lists": 3, "heads": 3, "boards": 0}
        await race.ann.play("draw")
        await expect(eve.board_of(2)).to_contain_text("move 1 of 4")
        assert (await renders.since())["page"] == 0
        await eve.press("1")
        await eve.sees(1)
        assert (await renders.since())["page"] == 1
