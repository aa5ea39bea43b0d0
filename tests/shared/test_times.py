"""mypy keeps milliseconds, seconds and numbers apart; at run time all are plain numbers."""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, is_final
from fortythieves.times import Ms, Seconds, ms_of, seconds_of

if TYPE_CHECKING:  # `make types` reports an ignored error that is none
    at, hour, pause = Ms(1_795_258_800_000), ms_of(3600), 0.5
    moments: list[Ms] = [at + hour, at - hour, 2 * hour, -hour, max(at, hour), ms_of(pause), at + TAKE_BACK_WITHIN]
    counts: list[float] = [at // hour, at / hour, seconds_of(hour), int(at)]
    truths: list[bool] = [at < hour, at >= hour, at == hour, bool(at), is_final(at, hour)]
    at + 500  # type: ignore[operator]
    500 + at  # type: ignore[operator]
    at - pause  # type: ignore[operator]
    at * pause  # type: ignore[operator]
    at * hour  # type: ignore[operator]
    print(at < 500)  # type: ignore[operator]
    print(at == 500)  # type: ignore[comparison-overlap]
    larger: Ms = max(at, 0)  # type: ignore[assignment]
    ms_of(hour)  # type: ignore[arg-type]
    seconds_of(pause)  # type: ignore[arg-type]
    is_final(500, at)  # type: ignore[arg-type]
    asyncio.sleep(hour)  # type: ignore[call-overload]
    asyncio.timeout(hour)  # type: ignore[arg-type]
    asyncio.get_running_loop().call_later(hour, print)  # type: ignore[arg-type]
    seconds: Seconds = hour  # type: ignore[assignment]
    count: int = hour  # type: ignore[assignment]
    moment: Ms = 500  # type: ignore[assignment]
    later: Ms = pause  # type: ignore[assignment]


def test_at_run_time_they_are_numbers() -> None:
    assert msgspec.json.encode([Ms(5), ms_of(3), ms_of(0.25)]) == b"[5,3000,250.0]"
    assert seconds_of(Ms(1500)) == 1.5
