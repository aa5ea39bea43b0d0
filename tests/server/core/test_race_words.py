"""The words of a result, as short as messengers have room for."""

from fortythieves.record.race_record import Racer
from fortythieves.rules.race_rules import Ending
from fortythieves.times import Ms
from fortythieves_server.core.finished_race import NAMED, description, result_rows, time_text, title

START = Ms(1_000_000)


def racer(seat: int, name: str, state: Ending = "gave_up", home: int = 57, place: int | None = None) -> Racer:
    return Racer(seat, name, False, False, state, START + Ms(201_400), home, 90, START, place)


def plain(text: str) -> str:
    """The text without the marks around names."""
    return text.replace("\N{FIRST STRONG ISOLATE}", "").replace("\N{POP DIRECTIONAL ISOLATE}", "")


def test_the_winner_comes_first_and_who_has_no_place_last() -> None:
    told = result_rows(
        [racer(1, "Cem", "did_not_start", 0), racer(2, "Bob", place=2), racer(3, "Ann", "solved", 104, 1)], START
    )
    assert plain(title("Lucas", told)) == "Lucas: Ann 3:21.4, Bob 57/104, +1"
    assert plain(description(told)) == "1. Ann 3:21.4 \N{MIDDLE DOT} 2. Bob 57/104 \N{MIDDLE DOT} Cem no-show"


def test_of_many_some_are_named() -> None:
    told = result_rows([racer(seat, f"P{seat}", place=seat, home=1) for seat in range(1, 9)], START)
    assert plain(title("Lucas", told)) == "Lucas: P1 1/104, P2 1/104, +6"
    assert plain(description(told)).endswith(f"{NAMED}. P5 1/104 \N{MIDDLE DOT} +3")


def test_times_are_written_as_on_the_page() -> None:
    assert [time_text(Ms(ms)) for ms in (0, 201_499, 3_600_000)] == ["0:00.0", "3:21.4", "1:00:00.0"]
