"""The page that adds up several tournaments."""

from pathlib import Path

from msgspec.structs import replace
from playwright.async_api import expect

from fortythieves.tournament.export import written
from tests.e2e.conftest import PHONE, Visit, Witness
from tests.shared.tournament.make_series import file_of


async def test_a_series_sums_tournament_files_by_the_rules_in_its_link(
    visit: Visit, witness: Witness, tmp_path: Path
) -> None:
    witness.forgive("404")
    page = await visit("/series", PHONE)
    events: dict[str, list[tuple[str, int | None]]] = {
        "KQXWVD": [("Ann", 1), ("Bob", 2)],
        "BCDFGH": [("Bob", 1), ("Anna", 2)],
    }
    for code, event in events.items():
        (tmp_path / code).write_bytes(written(replace(file_of(event), code=code)))
        await page.get_by_label("Or its file").set_input_files(tmp_path / code)
        await expect(page.locator(f".series-events [data-code={code}]")).to_contain_text("2 entrants, 1 round")
    await page.get_by_label("Points by place").fill("10, 4")
    await page.get_by_label("One person, several names").fill("Ann = Anna")
    await page.get_by_label("What counts").select_option("1")
    table = page.locator("[data-part=series] tbody tr")
    await expect(table).to_have_text(["1stAnn1010(4)", "1stBob10(4)10"])

    # Another player opens the link without files: the server does not know these tournaments.
    other = await visit(page.url[page.url.index("/series") :])
    await expect(other.locator(".series-events li")).to_have_count(2)
    await expect(other.locator(".series-events [data-code=BCDFGH]")).to_contain_text("There is no room BCDFGH.")
    await expect(other.get_by_label("Points by place")).to_have_value("10, 4")

    await other.get_by_label("Or its file").set_input_files({"name": "x", "mimeType": "", "buffer": b"GIF89a"})
    await expect(other.get_by_role("alert")).to_contain_text("not the export of a tournament")
    await other.get_by_label("Or its file").set_input_files(tmp_path / "KQXWVD")
    await expect(other.locator("[data-part=series] tbody tr")).to_have_text(["1stAnn1010", "2ndBob44"])
