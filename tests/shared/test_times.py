"""mypy keeps milliseconds, seconds and numbers apart; at run time all are plain numbers."""

from pathlib import Path

import msgspec
from mypy import api

from fortythieves.times import Ms, ms_of, seconds_of

ROOT = Path(__file__).parents[2]

RIGHT = """
import asyncio
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, is_final
from fortythieves.times import Ms, Seconds, ms_of, seconds_of
at, hour, pause = Ms(1_795_258_800_000), ms_of(3600), 0.5
moments: list[Ms] = [at + hour, at - hour, 2 * hour, -hour, max(at, hour), ms_of(pause), at + TAKE_BACK_WITHIN]
counts: list[float] = [at // hour, at / hour, seconds_of(hour), int(at)]
truths: list[bool] = [at < hour, at >= hour, at == hour, bool(at), is_final(at, hour)]
async def wait(pause: Seconds) -> None: await asyncio.sleep(pause + seconds_of(hour))
"""

WRONG = """
at + 500
500 + at
at - pause
at * pause
at * hour
at < 500
at == 500
larger: Ms = max(at, 0)
ms_of(hour)
seconds_of(pause)
is_final(500, at)
asyncio.sleep(hour)
asyncio.timeout(hour)
asyncio.get_running_loop().call_later(hour, print)
seconds: Seconds = hour
count: int = hour
moment: Ms = 500
later: Ms = pause
"""


def test_mypy_refuses_milliseconds_where_seconds_or_numbers_belong_and_the_other_way_round(tmp_path: Path) -> None:
    file = tmp_path / "times.py"
    file.write_text(RIGHT + WRONG)
    found, trouble, _ = api.run([f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={tmp_path}", str(file)])
    assert not trouble
    lines = (RIGHT + WRONG).splitlines()
    refused = {lines[int(row.split(":")[1]) - 1] for row in found.splitlines() if ": error: " in row}
    assert refused == set(WRONG.split("\n")) - {""}, found


def test_at_run_time_they_are_numbers() -> None:
    assert msgspec.json.encode([Ms(5), ms_of(3), ms_of(0.25)]) == b"[5,3000,250.0]"
    assert seconds_of(Ms(1500)) == 1.5
