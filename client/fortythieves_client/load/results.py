"""The results of a load test: its measurements, and the comparison of its bots' lists with the records."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil
from typing import Any


@dataclass
class Results:
    """All counts of a load test."""

    races: int = 0
    races_ended: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    #: The checks of `verify` that failed, in all records.
    wrong: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    reconnects: int = 0
    #: Bots that lost their connection for good too early, by reason.
    gone: Counter[str] = field(default_factory=Counter)
    latency_ms: list[float] = field(default_factory=list)
    start_skew_ms: list[float] = field(default_factory=list)
    #: The time from the last result of a round to the new standings, for every bot.
    standings_after_ms: list[float] = field(default_factory=list)
    back_to_play_ms: list[float] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not self.lost and not self.doubled and not self.wrong and self.races_ended == self.races > 0

    def as_plain(self) -> dict[str, Any]:
        """For JSON: percentiles instead of times."""
        return {name: percentiles(one) if isinstance(one, list) else one for name, one in vars(self).items()}


def percentiles(values: Iterable[float]) -> dict[str, float]:
    """The usual percentiles. Empty if there are no values."""
    ordered = sorted(values)
    if not ordered:
        return {}
    at = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}
    found = {name: ordered[max(0, ceil(share * len(ordered)) - 1)] for name, share in at.items()}
    return {name: round(value, 1) for name, value in {**found, "max": ordered[-1]}.items()}
