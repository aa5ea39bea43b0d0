"""The picture of a race that messengers show: it has names as they can be written, results, and no card."""

import io
from typing import Any

from PIL import Image

from fortythieves.record import race_record
from fortythieves.record.race_record import Deal, Racer
from fortythieves.rules.race_rules import Ending
from fortythieves.times import Ms
from fortythieves_server.rooms.race_picture import HEIGHT, WIDTH, drawn, plain
from tests.shared.vectors import read

WINS = read("wins")
START = Ms(1_700_000_000_000)


def record(*names: str, game: str = "lucas") -> dict[str, Any]:
    """A race that the first of these has won, and all others have given up, each a little earlier."""
    win = next(win for win in WINS if win["game"] == game)
    settings = {"game": game, "deal": str(win["number"]), "time_limit": 20, "undo": "none"}
    logs, racers = {}, []
    for seat, name in enumerate(names, 1):
        log = [(START + Ms(1500 * n), text) for n, text in enumerate(win["moves"], 1)]
        log = log if seat == 1 else log[: -20 * seat]
        state: Ending = "solved" if seat == 1 else "gave_up"
        when = log[-1][0]
        racers.append(Racer(seat, name, False, False, state, when, 104 - 9 * (seat - 1), len(log), when, seat))
        logs[seat] = log
    dealt = Deal(number=str(win["number"]))
    return race_record.make("KQXWVD", 3, settings, dealt, START, racers, logs, [])


def colours(image: Image.Image) -> int:
    return len(image.convert("RGB").getcolors(WIDTH * HEIGHT) or [])


def test_the_picture_is_a_small_png() -> None:
    file = drawn(record("Ann", "Bob"), "en")
    image = Image.open(io.BytesIO(file))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(file) < 60_000
    assert colours(image) > 10, "there is something on it"


def test_races_of_any_size_have_a_picture() -> None:
    alone = record("Ann")
    alone["logs"][0][1][5:5] = [[7000, "undo"], alone["logs"][0][1][4]]
    assert drawn(alone, "en") != drawn(record(*(f"Player {n}" for n in range(1, 8))), "en")


def test_names_without_latin_letters_become_seat_numbers() -> None:
    for name, shown in {
        "Ann": "Ann",
        "O'Neil & Co <b>": "O'Neil & Co <b>",
        "Ren\N{LATIN SMALL LETTER E WITH ACUTE}e": "Renee",
        "\N{LATIN CAPITAL LETTER S WITH COMMA BELOW}tefan": "Stefan",
        "\N{CYRILLIC CAPITAL LETTER A}\N{CYRILLIC SMALL LETTER EN}": "",
        "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}": "",
        "Ann\N{PILE OF POO}": "",
        "\N{COMBINING ACUTE ACCENT}": "",
        "a\nb": "",
    }.items():
        assert plain(name) == shown
    assert drawn(record("Ann", "\N{PILE OF POO}"), "en") == drawn(record("Ann", "Player 2"), "en")


def test_the_picture_is_in_the_requested_language() -> None:
    told = record("Ann", "Bob")
    assert drawn(told, "ro") != drawn(told, "en")
    assert drawn(told, "hi") == drawn(told, "en")
