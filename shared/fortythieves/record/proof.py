"""Check whether the record of a race is true: everything in it is computed again from its sources.

Each check takes the step before it from the record, so the first failed check shows the wrong part. The browser
(client/web/src/record/proof.js) finds the same codes with the same parameters. `reasons` has their sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from fortythieves.errors import Refused
from fortythieves.record import shape
from fortythieves.record.race_record import Racer, Winnable, deck_of, kind_of_deal, signed_bytes
from fortythieves.record.reasons import Param, Reason, sentence
from fortythieves.record.signature import Promise, is_promised, is_signed
from fortythieves.rules import deal, winnable
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, parse_cards
from fortythieves.rules.games import game
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, wins
from fortythieves.rules.ranking import Result, places
from fortythieves.rules.settings import WINNABLE, Undo
from fortythieves.rules.tally import Happened, Race, Run, Story, end_of, run_of, stories
from fortythieves.solver import day
from fortythieves.solver.day import DayProof
from fortythieves.solver.effort import solve, stars
from fortythieves.times import Ms, ms_of

#: In this order. If the format is wrong, the other checks are not made.
#: Only the record of a winnable deal has the check `winnable`, and only that of a deal of the day the check `day`.
CHECKS = ("format", "signature", "commitment", "deal", "winnable", "day", "moves", "times", "results", "ranking")


class Check(NamedTuple):
    """A finding: whether the check holds, and a `Reason`."""

    check: str
    ok: bool
    code: str
    params: Mapping[str, Param] = MappingProxyType({})
    seat: int | None = None
    at: int | None = None

    @property
    def sentence(self) -> str:
        """The finding in English, with its place."""
        seat = "" if self.seat is None else f"seat {self.seat}: "
        entry = "" if self.at is None else f"entry {self.at}: "
        return f"{seat}{entry}{sentence(self.check, self.code, self.params)}"


#: Why a check holds, or all that is wrong.
_Found = Reason | list[Reason]


class _Settings(msgspec.Struct, frozen=True):
    """The settings that affect the result."""

    game: str
    time_limit: int
    undo: Undo
    late: str
    deal: str


#: The keys of a server in hexadecimal, and until when it signed with each. None: it still does.
Keys = Mapping[str, Ms | None]

#: A server without a deal of the day has published none.
NO_LINKS: Mapping[int, str] = MappingProxyType({})

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
    #: The earlier race with this deal, if there is one: its room and its number.
    source: tuple[str, int] | None
    day: DayProof | None
    secret: str | None
    number: str | None
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
    ends: Mapping[int, Result]


def remarks(record: Mapping[str, Any]) -> list[Check]:
    """Facts about the racers' nonces that are right, but good to know. One that is not ``ok`` weakens the proof."""
    if record["secret"] is None or record["source"] is not None:
        return []
    revealed, promised = ({seat for seat, _ in record[name]} for name in ("nonces", "commitments"))
    given = {"given": len(revealed), "racers": sum(not racer["late"] for racer in record["racers"])}
    return [
        Check("remarks", True, "numbers-given", given) if revealed else Check("remarks", False, "no-numbers"),
        *(Check("remarks", True, "number-withheld", {"seat": seat}) for seat in sorted(promised - revealed)),
    ]


def verify(
    record: Mapping[str, Any], key: bytes | Keys | None = None, links: Mapping[int, str] = NO_LINKS
) -> list[Check]:
    """Check everything that can be checked in a record (from `race_record.read`), in the order of `CHECKS`.

    A check that holds gives one finding, and one that fails gives a finding for everything that is wrong. ``key``: the
    expected public key, or all keys that the server has had. Without it, the finding names the key of the signature.
    ``links``: keys that the server has published, by day.
    """
    keys = {key.hex(): None} if isinstance(key, bytes) else key
    if fault := shape.fault(record):
        return [Check("format", False, *fault)]
    read = _read(record)
    deck = list(parse_cards(read.deck))
    tally = _tally(read, deck)
    found: dict[str, _Found | None] = {
        "format": Reason("well-formed"),
        "signature": _signature(read, signed_bytes(record), keys),
        "commitment": _commitment(read, keys),
        "deal": [*_deal_wrongs(read, deck)] or Reason("dealt"),
        "winnable": _winnable(read, deck),
        "day": _day(read, links),
        "moves": _moves(tally),
        "times": [*_time_wrongs(read, tally)] or Reason("in-order"),
        "results": [*_result_wrongs(read, tally)] or Reason("results-follow"),
        "ranking": [*_place_wrongs(read, tally)] or Reason("places-follow"),
    }
    return [
        Check(name, one is reason, *reason)
        for name, one in found.items()
        if one is not None
        for reason in ([one] if isinstance(one, Reason) else one)
    ]


def advances(record: Mapping[str, Any]) -> dict[int, int]:
    """How many cards each racer revealed and brought home, in a record that is right."""
    read = _read(record)
    runs = _tally(read, list(parse_cards(read.deck))).runs
    return {seat: run.revealed + run.home - game(read.game).home for seat, run in runs.items()}


def _read(record: Mapping[str, Any]) -> _Record:
    racers = [[racer[name] for name in Racer._fields] for racer in record["racers"]]
    kinds: dict[str, Any] = {"promise": Promise, "winnable": Winnable, "day": DayProof}
    proofs = {name: record[name] and [record[name][field] for field in kind._fields] for name, kind in kinds.items()}
    return msgspec.convert({**record, "racers": racers, **proofs}, _Record)


def _tally(record: _Record, deck: Sequence[Card]) -> _Tally:
    race = Race(game(record.game), deck, record.settings.undo, record.starts_at, record.ends_at)
    runs = {seat: run_of(race, log) for seat, log in record.logs}
    told = {racer.seat: Story() for racer in record.racers} | stories(record.events)
    ends = {
        # A wrong log has no results. The record's results are taken, and the check `moves` names the mistake.
        racer.seat: _stated(racer) if runs[racer.seat].wrong else end_of(race, told[racer.seat], runs[racer.seat])
        for racer in record.racers
    }
    return _Tally(runs, told, ends)


def _stated(racer: Racer) -> Result:
    return Result(racer.state, racer.when, racer.home, racer.moves, racer.reached_at)


# The signature and the deal


def _key_wrong(key: str, at: Ms, expected: Keys | None, prefix: str = "") -> Reason | None:
    """Why the server did not sign with this key at a time, or None."""
    if expected is None:
        return None
    if key not in expected:
        return Reason(f"{prefix}wrong-key", {"key": key} | ({} if prefix else {"expected": [*expected]}))
    until = expected[key]
    is_late = until is not None and at > until + HEARD_WITHIN
    return Reason(f"{prefix}key-given-up", {"key": key}) if is_late else None


def _signature(record: _Record, signed: bytes, expected: Keys | None) -> _Found:
    if wrong := _key_wrong(record.key, record.over_at, expected):
        return [wrong]
    if not is_signed(signed, bytes.fromhex(record.signature), bytes.fromhex(record.key)):
        return [Reason("bad-signature")]
    return Reason("signed" if expected is None else "signed-by-server", {"key": record.key})


def _commitment(record: _Record, expected: Keys | None) -> _Found:
    """Whether the server signed its commitment before the race, perhaps with an earlier key."""
    promise = record.promise
    if record.secret is None and record.commitment is None:
        return Reason("open-deal")
    if record.secret is None or record.commitment is None:
        return [Reason("half")]
    if record.winnable is None and deal.commitment(bytes.fromhex(record.secret)) != record.commitment:
        return [Reason("wrong-secret")]
    if promise is None:
        return [Reason("no-promise")]
    if wrong := _key_wrong(promise.key, promise.at, expected, "promise-"):
        return [wrong]
    if not is_promised(promise, *(record.source or (record.code, record.race)), record.commitment):
        return [Reason("bad-promise")]
    if promise.at > record.starts_at:
        return [Reason("late-promise")]
    return Reason("promised" if record.winnable is None else "draw-promised", {"key": promise.key})


def _deal_wrongs(record: _Record, deck: Sequence[Card]) -> Iterator[Reason]:
    if record.game != record.settings.game:
        yield Reason("wrong-game")
    if not _is_as_set(record):
        yield Reason("wrong-kind")
        return
    yield from _nonce_wrongs(record)
    try:
        mixed = [] if record.winnable else [nonce for _, nonce in record.nonces]
        if deck_of(record.secret, mixed, record.number) != deck:
            yield Reason("wrong-deck")
    except Refused:
        yield Reason("no-such-deal")


def _is_as_set(record: _Record) -> bool:
    """Whether the deal is of the kind in the settings."""
    kind = kind_of_deal(record.settings.deal)
    if (kind == "winnable") != (record.winnable is not None):
        return False
    if kind != "number":
        return record.secret is not None and record.number is None
    is_open = record.secret is None and not (record.nonces or record.commitments or record.promise)
    return is_open and record.number == record.settings.deal


def _nonce_wrongs(record: _Record) -> Iterator[Reason]:
    """A nonce needs a commitment from before the countdown, and no bot may add one: the server could play the bot.

    On the deal of an earlier race, both are of its racers. Its own record has these.
    """
    committed = dict(record.commitments)
    if record.source is None:
        starters = {racer.seat: racer.bot for racer in record.racers if not racer.late}
        yield from (Reason("nonce-not-there", seat=seat) for seat, _ in record.nonces if seat not in starters)
        yield from (Reason("commitment-not-there", seat=seat) for seat in committed if starters.get(seat, True))
    for seat, nonce in record.nonces:
        if committed.get(seat) != deal.nonce_commitment(bytes.fromhex(nonce)):
            yield Reason("wrong-nonce", seat=seat)


def _winnable(record: _Record, deck: Sequence[Card]) -> _Found | None:
    """Whether the nonces chose the deal among those that were committed to, and whether it can be won as is said."""
    proof = record.winnable
    if proof is None:
        return None
    if record.commitment is None or record.secret is None:
        return [Reason("wrong-path")]
    wrong: list[Reason] = []
    root, path = bytes.fromhex(record.commitment), [bytes.fromhex(one) for one in proof.path]
    if winnable.root_from(winnable.leaf_of(bytes.fromhex(record.secret)), proof.leaf, path) != root:
        wrong.append(Reason("wrong-path"))
    chosen = winnable.choice_of(root, [bytes.fromhex(nonce) for _, nonce in record.nonces])
    if proof.leaf != chosen:
        wrong.append(Reason("wrong-leaf", {"stated": proof.leaf, "right": chosen}))
    if not wins(Board.deal(game(record.game), deck), proof.line):
        wrong.append(Reason("wrong-line"))
    else:
        # None: the solver does not win the deal.
        rung = solve(Board.deal(game(record.game), deck)).rung
        right = None if rung is None else stars(record.game, rung)
        if proof.stars != right:
            wrong.append(Reason("wrong-stars", {"stated": proof.stars, "right": right}))
    if (wanted := WINNABLE.get(record.settings.deal)) and proof.stars != wanted:
        wrong.append(Reason("other-stars", {"stated": proof.stars, "set": wanted}))
    return wrong or Reason("can-be-won", {"stars": proof.stars})


def _day(record: _Record, links: Mapping[int, str]) -> _Found | None:
    """Whether the deal is that of its day: the first of its key with the stars of the weekday."""
    proof = record.day
    if proof is None:
        return None
    key, (game_of_day, wanted) = bytes.fromhex(proof.key), day.game_of(proof.day)
    begins_at, ends_at = day.begins_at(proof.day), day.begins_at(proof.day + 1)
    wrong: list[Reason] = []
    if day.secret_of(key, proof.counter).hex() != record.secret:
        wrong.append(Reason("not-of-key"))
    if record.game != game_of_day:
        wrong.append(Reason("other-game", {"right": game_of_day}))
    if not begins_at <= record.starts_at < ends_at or record.over_at > ends_at:
        wrong.append(Reason("other-day"))
    if proof.stars not in (0, wanted):
        wrong.append(Reason("other-stars", {"stated": proof.stars, "set": wanted}))
    if not all(_is_linked(proof.day, key, known, bytes.fromhex(link)) for known, link in links.items()):
        wrong.append(Reason("other-chain"))
    # Unless no deal was found in time, it is the first that is won. All these searches take a second.
    won = (n for n in range(proof.counter + 1) if day.is_won(game_of_day, wanted, day.secret_of(key, n)))
    if not wrong and proof.counter != (next(won, None) if proof.stars else 0):
        wrong.append(Reason("other-deal"))
    return wrong or Reason("of-day" if proof.stars else "of-day-unproved", {"day": proof.day})


def _is_linked(number: int, key: bytes, known: int, link: bytes) -> bool:
    """Whether the key of a day and a published key are of one chain."""
    if known < number:
        return day.earlier(key, number - known) == link
    return day.earlier(link, known - number) == key


# The moves, the times and the results


def _moves(tally: _Tally) -> _Found:
    """The first wrong entry of each log."""
    wrong = [
        Reason(code, {"move": text} | ({"outcome": outcome} if outcome else {}), seat, at)
        for seat, run in tally.runs.items()
        for code, text, outcome, at in ([run.wrong] if run.wrong else ())
    ]
    return wrong or Reason("legal", {"moves": sum(run.moves for run in tally.runs.values())})


def _time_wrongs(record: _Record, tally: _Tally) -> Iterator[Reason]:
    """What is wrong with the times of the race and of its events, and the first wrong time of each log."""
    limit = record.ends_at - record.starts_at
    if limit != ms_of(record.settings.time_limit):
        yield Reason("wrong-end")
    if record.over_at != max(end.when for end in tally.ends.values()):
        yield Reason("wrong-over")
    if any(later.at < earlier.at for earlier, later in pairwise(record.events)):
        yield Reason("events-unsorted")
    for racer in record.racers:
        story = tally.stories[racer.seat]
        if racer.late != (story.started_late is not None):
            yield Reason("late-unclear", seat=racer.seat)
        elif racer.late and record.settings.late != "join":
            yield Reason("late-not-let-in", seat=racer.seat)
        if story.astray:
            yield Reason("nothing-to-take-back", seat=racer.seat)
    for seat, log in record.logs:
        start = (tally.stories[seat].started_late or Ms(0)) - record.starts_at
        # Processes may learn a moment late that a racer has given up or left.
        stop = tally.ends[seat].when - record.starts_at + TAKE_BACK_WITHIN
        times = [Ms(0), *(ms for ms, _ in log)]
        codes = (_wrong_time(ms, last, start, stop, limit) for last, ms in pairwise(times))
        yield from islice((Reason(code, seat=seat, at=at) for at, code in enumerate(codes) if code), 1)


def _wrong_time(ms: Ms, last: Ms, start: Ms, stop: Ms, limit: Ms) -> str | None:
    if ms < last:
        return "before-last-entry"
    if ms >= limit:
        return "after-race"
    return "before-start" if ms < start else "after-racer" if ms > stop else None


def _result_wrongs(record: _Record, tally: _Tally) -> Iterator[Reason]:
    """The first wrong field of each racer."""
    for racer in record.racers:
        said, follows = _stated(racer)._asdict(), tally.ends[racer.seat]._asdict()
        for name in islice((name for name in said if said[name] != follows[name]), 1):
            yield Reason("wrong-result", {"field": name, "stated": said[name], "right": follows[name]}, racer.seat)


def _place_wrongs(record: _Record, tally: _Tally) -> Iterator[Reason]:
    ranked = places({seat: end for seat, end in tally.ends.items() if end.is_ranked})
    for racer in record.racers:
        if racer.place != (place := ranked.get(racer.seat)):
            yield Reason("wrong-place", {"stated": racer.place, "right": place}, racer.seat)
