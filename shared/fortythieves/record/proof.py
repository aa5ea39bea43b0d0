"""Check whether the record of a race is true: everything in it is computed again from its sources.

The signature is checked with the server's key, the deck with the secret that was committed to, the boards with the deck
and the moves, the results with the boards and the times, and the places with the results. Each check takes the step
before it from the record, so the first failed check shows the wrong part. The browser does the same
(client/web/src/record/proof.js) and finds the same codes with the same parameters. `reasons` has their sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from fortythieves.errors import Refused
from fortythieves.record import shape
from fortythieves.record.promise import Promise, is_promised
from fortythieves.record.race_record import Racer, Winnable, deck_of, kind_of_deal, signed_bytes
from fortythieves.record.reasons import Param, Reason, sentence
from fortythieves.record.signature import is_signed
from fortythieves.rules import deal, winnable
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, parse_cards
from fortythieves.rules.games import game
from fortythieves.rules.moves import parse_move
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN
from fortythieves.rules.ranking import Result, is_ranked, places
from fortythieves.rules.settings import WINNABLE, Undo
from fortythieves.rules.tally import End, Happened, Race, Run, Story, end_of, run_of, stories
from fortythieves.solver.effort import solve, stars
from fortythieves.times import Ms, ms_of

#: In this order. If the format is wrong, the other checks are not made.
#: Only the record of a winnable deal has the check `winnable`.
CHECKS = ("format", "signature", "commitment", "deal", "winnable", "moves", "times", "results", "ranking")


class Check(NamedTuple):
    """A finding, with the seat and the entry of its log (from 0) if it is about one."""

    check: str
    ok: bool
    code: str
    params: Mapping[str, Param] = MappingProxyType({})
    seat: int | None = None
    at: int | None = None

    @property
    def sentence(self) -> str:
        """The finding in English, without the place."""
        return sentence(self.check, self.code, self.params)

    def plain(self) -> dict[str, Any]:
        """The finding as a map, without empty fields."""
        found = {**self._asdict(), "params": dict(self.params) or None}
        return {name: value for name, value in found.items() if value is not None}


class _Wrong(NamedTuple):
    """Why a check fails, and where."""

    code: str
    params: Mapping[str, Param] = MappingProxyType({})
    seat: int | None = None
    at: int | None = None


#: Either the check holds, or this is wrong.
_Found = Reason | Sequence[_Wrong]


class _Settings(msgspec.Struct, frozen=True):
    """The settings that affect the result."""

    game: str
    time_limit: int
    undo: Undo
    late: str
    deal: str


#: The keys of a server in hexadecimal, and until when it signed with each. None: it still does.
Keys = Mapping[str, Ms | None]

#: Other processes may sign with a key for this long after it was replaced.
HEARD_WITHIN = Ms(60_000)


class _Record(msgspec.Struct, frozen=True):
    """A record of valid format, with names for its parts; see RECORD.md."""

    code: str
    race: int
    game: str
    settings: _Settings
    commitment: str | None
    promise: Promise | None
    secret: str | None
    number: str | None
    practice: str | None
    commitments: list[tuple[int, str]]
    nonces: list[tuple[int, str]]
    #: Not None: the racers' nonces chose the deal among some that can be won.
    winnable: Winnable | None
    deck: str
    starts_at: Ms
    ends_at: Ms
    over_at: Ms
    racers: list[Racer]
    logs: list[tuple[int, list[tuple[Ms, str]]]]
    events: list[Happened]
    key: str
    signature: str


class _Tally(NamedTuple):
    """The boards, events and ends that follow from a record, by seat."""

    runs: Mapping[int, Run]
    stories: Mapping[int, Story]
    ends: Mapping[int, End]


class Remark(NamedTuple):
    """Something that is not wrong but good to know. ``warns``: it weakens what the record proves."""

    warns: bool
    code: str
    params: Mapping[str, Param] = MappingProxyType({})

    @property
    def sentence(self) -> str:
        """The remark in English."""
        return sentence("remarks", self.code, self.params)

    def plain(self) -> dict[str, Any]:
        """The remark as a map, without empty parameters."""
        return {name: value for name, value in self._asdict().items() if value != {}}


def remarks(record: Mapping[str, Any]) -> list[Remark]:
    """Remarks on the racers' nonces in the deal of a valid record. Empty for a numbered deal."""
    if record["secret"] is None or record["practice"] is not None:
        return []
    given = len(record["nonces"])
    there = sum(not racer["late"] for racer in record["racers"])
    revealed = {seat for seat, _ in record["nonces"]}
    withheld = [seat for seat, _ in record["commitments"] if seat not in revealed]
    return [
        Remark(False, "numbers-given", {"given": given, "racers": there}) if given else Remark(True, "no-numbers"),
        *(Remark(False, "number-withheld", {"seat": seat}) for seat in withheld),
    ]


def verify(record: Mapping[str, Any], key: bytes | Keys | None = None) -> list[Check]:
    """Check everything that can be checked in a record (from `race_record.read`), in the order of `CHECKS`.

    A check that holds gives one finding. One that fails gives a finding for everything that is wrong. ``key``: the
    expected public key, or all keys that the server has had. Without it, the finding names the key of the signature.
    """
    keys = {key.hex(): None} if isinstance(key, bytes) else key
    if fault := shape.fault(record):
        return [Check("format", False, *fault)]
    read = _read(record)
    tally = _tally(read)
    found: dict[str, _Found | None] = {
        "format": Reason("well-formed"),
        "signature": _signature(read, signed_bytes(record), keys),
        "commitment": _commitment(read, keys),
        "deal": [*_deal_wrongs(read)] or Reason("dealt"),
        "winnable": _winnable(read),
        "moves": [*_move_wrongs(tally)] or Reason("legal", {"moves": sum(run.moves for run in tally.runs.values())}),
        "times": [*_race_times(read, tally), *_event_times(read, tally), *_log_times(read, tally)]
        or Reason("in-order"),
        "results": [*_result_wrongs(read, tally)] or Reason("results-follow"),
        "ranking": [*_place_wrongs(read, tally)] or Reason("places-follow"),
    }
    return [
        check
        for name, one in found.items()
        if one is not None
        for check in (
            [Check(name, True, *one)] if isinstance(one, Reason) else [Check(name, False, *wrong) for wrong in one]
        )
    ]


def _read(record: Mapping[str, Any]) -> _Record:
    racers = [[racer[name] for name in Racer._fields] for racer in record["racers"]]
    promise, winnable = (
        one and [one[name] for name in kind._fields]
        for one, kind in ((record["promise"], Promise), (record["winnable"], Winnable))
    )
    return msgspec.convert({**record, "racers": racers, "promise": promise, "winnable": winnable}, _Record)


def _tally(record: _Record) -> _Tally:
    race = Race(game(record.game), _deck(record), record.settings.undo, record.starts_at, record.ends_at)
    runs = {seat: run_of(race, log) for seat, log in record.logs}
    told = {racer.seat: Story() for racer in record.racers} | stories(record.events)
    ends = {
        # A wrong log has no results. The record's results are taken, and the check `moves` names the mistake.
        racer.seat: _stated(racer) if runs[racer.seat].wrong else end_of(race, told[racer.seat], runs[racer.seat])
        for racer in record.racers
    }
    return _Tally(runs, told, ends)


def _stated(racer: Racer) -> End:
    return End(racer.state, racer.when, racer.home, racer.moves, racer.reached_at)


# The signature


def _signature(record: _Record, signed: bytes, expected: Keys | None) -> _Found:
    own = {"key": record.key}
    if expected is not None and record.key not in expected:
        return [_Wrong("wrong-key", {**own, "expected": [*expected]})]
    if expected is not None and _given_up(expected[record.key], record.over_at):
        return [_Wrong("key-given-up", own)]
    if not is_signed(signed, bytes.fromhex(record.signature), bytes.fromhex(record.key)):
        return [_Wrong("bad-signature")]
    return Reason("signed" if expected is None else "signed-by-server", own)


# The deal


def _given_up(until: Ms | None, at: Ms) -> bool:
    return until is not None and at > until + HEARD_WITHIN


def _commitment(record: _Record, expected: Keys | None) -> _Found:
    if record.secret is None and record.commitment is None:
        return Reason("open-deal")
    if record.secret is None or record.commitment is None:
        return [_Wrong("half")]
    if record.winnable is None and deal.commitment(bytes.fromhex(record.secret)) != record.commitment:
        return [_Wrong("wrong-secret")]
    if record.practice is not None:
        return Reason("committed")
    return _promise(record, record.commitment, expected)


def _promise(record: _Record, commitment: str, expected: Keys | None) -> _Found:
    """Whether the server signed its commitment before the race, perhaps with an earlier key."""
    promise = record.promise
    if promise is None:
        return [_Wrong("no-promise")]
    key = {"key": promise.key}
    if expected is not None and promise.key not in expected:
        return [_Wrong("promise-wrong-key", key)]
    if expected is not None and _given_up(expected[promise.key], promise.at):
        return [_Wrong("promise-key-given-up", key)]
    if not is_promised(promise, record.code, record.race, commitment):
        return [_Wrong("bad-promise")]
    if promise.at > record.starts_at:
        return [_Wrong("late-promise")]
    return Reason("promised" if record.winnable is None else "draw-promised", key)


def _deal_wrongs(record: _Record) -> Iterator[_Wrong]:
    if record.game != record.settings.game:
        yield _Wrong("wrong-game")
    if not _is_as_set(record):
        yield _Wrong("wrong-kind")
        return
    if record.practice is None:
        starters = {racer.seat for racer in record.racers if not racer.late}
        yield from (_Wrong("nonce-not-there", seat=seat) for seat, _ in record.nonces if seat not in starters)
        yield from _nonce_wrongs(record)
    try:
        mixed = [] if record.winnable else [nonce for _, nonce in record.nonces]
        deck = deck_of(record.secret, mixed, record.number)
    except Refused:
        yield _Wrong("no-such-deal")
        return
    if deck != _deck(record):
        yield _Wrong("wrong-deck")


def _is_as_set(record: _Record) -> bool:
    """Whether the deal is of the kind in the settings."""
    kind = kind_of_deal(record.settings.deal)
    if record.practice != (record.settings.deal if kind == "practice" else None):
        return False
    if (kind == "winnable") != (record.winnable is not None):
        return False
    if kind not in ("secret", "winnable") and (record.commitments or record.promise is not None):
        return False
    if record.secret is not None:
        return kind != "number" and record.number is None
    if record.number is None or record.nonces:
        return False
    return kind == "practice" or record.number == record.settings.deal


def _nonce_wrongs(record: _Record) -> Iterator[_Wrong]:
    """A nonce needs a commitment from before the countdown, and no bot may add one: the server could play the bot."""
    committed = dict(record.commitments)
    people = {racer.seat for racer in record.racers if not racer.bot and not racer.late}
    for seat in committed:
        if seat not in people:
            yield _Wrong("commitment-not-there", seat=seat)
    for seat, nonce in record.nonces:
        if committed.get(seat) != deal.nonce_commitment(bytes.fromhex(nonce)):
            yield _Wrong("wrong-nonce", seat=seat)


def _winnable(record: _Record) -> _Found | None:
    if record.winnable is None:
        return None
    return [*_winnable_wrongs(record, record.winnable)] or Reason("can-be-won", {"stars": record.winnable.stars})


def _winnable_wrongs(record: _Record, proof: Winnable) -> Iterator[_Wrong]:
    if record.commitment is None or record.secret is None:
        yield _Wrong("wrong-path")
        return
    root, path = bytes.fromhex(record.commitment), [bytes.fromhex(one) for one in proof.path]
    if winnable.root_from(winnable.leaf_of(bytes.fromhex(record.secret)), proof.leaf, path) != root:
        yield _Wrong("wrong-path")
    chosen = winnable.choice_of(root, [bytes.fromhex(nonce) for _, nonce in record.nonces])
    if proof.leaf != chosen:
        yield _Wrong("wrong-leaf", {"stated": proof.leaf, "right": chosen})
    if not _wins(record, proof.line):
        yield _Wrong("wrong-line")
    elif proof.stars != (right := _stars(record)):
        yield _Wrong("wrong-stars", {"stated": proof.stars, "right": right})
    if (wanted := WINNABLE.get(record.settings.deal)) and proof.stars != wanted:
        yield _Wrong("other-stars", {"stated": proof.stars, "set": wanted})


def _wins(record: _Record, line: Sequence[str]) -> bool:
    board = Board.deal(game(record.game), _deck(record))
    try:
        for text in line:
            board.play(parse_move(text))
    except Refused:
        return False
    return board.outcome == "won"


def _stars(record: _Record) -> int | None:
    """The stars that the solver gives the deal. None: it does not win it."""
    rung = solve(Board.deal(game(record.game), _deck(record))).rung
    return None if rung is None else stars(record.game, rung)


def _deck(record: _Record) -> list[Card]:
    return list(parse_cards(record.deck))


# The moves


def _move_wrongs(tally: _Tally) -> Iterator[_Wrong]:
    """The first wrong entry of each log."""
    for seat, run in tally.runs.items():
        if run.wrong:
            outcome = {"outcome": run.wrong.outcome} if run.wrong.outcome else {}
            yield _Wrong(run.wrong.code, {"move": run.wrong.text, **outcome}, seat, run.wrong.at)


# The times


def _race_times(record: _Record, tally: _Tally) -> Iterator[_Wrong]:
    if record.ends_at != record.starts_at + ms_of(record.settings.time_limit):
        yield _Wrong("wrong-end")
    if record.over_at != max(end.when for end in tally.ends.values()):
        yield _Wrong("wrong-over")


def _event_times(record: _Record, tally: _Tally) -> Iterator[_Wrong]:
    if any(later.at < earlier.at for earlier, later in pairwise(record.events)):
        yield _Wrong("events-unsorted")
    for racer in record.racers:
        story = tally.stories[racer.seat]
        if racer.late != (story.started_late is not None):
            yield _Wrong("late-unclear", seat=racer.seat)
        elif racer.late and record.settings.late != "join":
            yield _Wrong("late-not-let-in", seat=racer.seat)
        if story.astray:
            yield _Wrong("nothing-to-take-back", seat=racer.seat)


def _log_times(record: _Record, tally: _Tally) -> Iterator[_Wrong]:
    """The first wrong time of each log."""
    limit = record.ends_at - record.starts_at
    for seat, log in record.logs:
        start = (tally.stories[seat].started_late or Ms(0)) - record.starts_at
        # Processes may learn a moment late that a racer has given up or left.
        stop = tally.ends[seat].when - record.starts_at + TAKE_BACK_WITHIN
        last = Ms(0)
        for at, (ms, _) in enumerate(log):
            if code := _wrong_time(ms, last, start, stop, limit):
                yield _Wrong(code, seat=seat, at=at)
                break
            last = ms


def _wrong_time(ms: Ms, last: Ms, start: Ms, stop: Ms, limit: Ms) -> str | None:
    if ms < last:
        return "before-last-entry"
    if ms >= limit:
        return "after-race"
    if ms < start:
        return "before-start"
    return "after-racer" if ms > stop else None


# The results


def _result_wrongs(record: _Record, tally: _Tally) -> Iterator[_Wrong]:
    """The first wrong field of each racer."""
    for racer in record.racers:
        said, follows = _stated(racer)._asdict(), tally.ends[racer.seat]._asdict()
        wrong = (name for name in said if said[name] != follows[name])
        yield from (
            _Wrong("wrong-result", {"field": name, "stated": said[name], "right": follows[name]}, racer.seat)
            for name in islice(wrong, 1)
        )


def _place_wrongs(record: _Record, tally: _Tally) -> Iterator[_Wrong]:
    ranked = places(
        {
            seat: Result(end.state == "solved", end.when, end.home, end.reached_at, end.moves)
            for seat, end in tally.ends.items()
            if is_ranked(end.state, end.moves)
        }
    )
    for racer in record.racers:
        if racer.place != (place := ranked.get(racer.seat)):
            yield _Wrong("wrong-place", {"stated": racer.place, "right": place}, racer.seat)
