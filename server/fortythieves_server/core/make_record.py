"""Make the record of a race from what is stored. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from fortythieves.record import race_record
from fortythieves.record.race_record import Deal, Plain, Racer, Winnable
from fortythieves.rules.tally import Happened
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.room_state import Race

Log = Sequence[tuple[Ms, events.Event]]

#: The events that affect a result, besides moves. A record calls them by their tags.
_BEARING = (events.StartedLate, events.GaveUp, events.TookBack)


def record_of(code: str, race: Race, log: Log, moves: Mapping[int, Sequence[tuple[Ms, str]]]) -> Plain:
    """The unsigned record of a race, from the room log and the seats' logs. Raises `ValueError` if it is not over."""
    if race.over_at is None or race.starts_at is None:
        raise ValueError(f"race {race.number} of {code} is not over")
    settings, happened = msgspec.to_builtins(race.settings), list(_happened(log, race.number))
    return race_record.make(
        code, race.number, settings, _dealt(race), race.starts_at, racers_of(race), moves, happened, race.version
    )


def _happened(log: Iterable[tuple[Ms, events.Event]], number: int) -> Iterator[Happened]:
    """The events of a room log that affect the results of race ``number``."""
    current = 1
    for at, event in log:
        if isinstance(event, events.SetUp):
            current += 1
        elif current == number and isinstance(event, _BEARING):
            yield Happened(at, str(event.__struct_config__.tag), event.seat)


def _dealt(race: Race) -> Deal:
    if race.is_secret:
        chosen = race.chosen
        proof = None if chosen is None else Winnable(chosen.stars, chosen.leaf, chosen.path, chosen.line)
        return Deal(race.secret, race.nonces, commitments=race.commitments, promise=race.promise, winnable=proof)
    if race.settings.practice is not None and race.revealed is not None:
        return Deal(race.revealed.secret, race.revealed.nonces)
    return Deal(number=race.settings.deal)


def racers_of(race: Race) -> Iterator[Racer]:
    """The results of a race that is over."""
    for seat, racer in race.racers.items():
        result = racer.result
        if result is not None:
            ends = result.when, result.home, result.moves, result.reached_at, race.places.get(seat)
            yield Racer(seat, racer.name, racer.bot, racer.late, racer.state, *ends)
