"""records.json: valid and invalid records of races, with everything that a verifier must find.

Both languages must find the same codes. The file has

- ``keys``: the public keys of the server that signed the records, and of a stranger;
- ``records``: by name, each with ``record`` (as JSON), ``file`` (the MessagePack file in hexadecimal; only of small
  records), and the ``checks`` and ``remarks`` that are found if the server's key is expected;
- ``broken``: the same record (``of``) after a ``change``: a list of paths and values. A path that ends in ``-`` removes
  something, in ``+`` appends it. ``keys``: the expected keys, or null. ``fail``: the checks that fail;
- ``chains``: published keys of days as ``links``, and the checks that the record ``day`` fails with them;
- ``unreadable``: bytes in hexadecimal that are no record, with the ``code`` of the refusal.
"""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

import msgpack
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.errors import Refused
from fortythieves.record import race_record
from fortythieves.record.proof import Check, Keys, remarks, verify
from fortythieves.record.race_record import Deal, Plain, Racer, Winnable, dealt_deck, deck_of
from fortythieves.record.signature import promise
from fortythieves.rules.board import Board
from fortythieves.rules.cards import names
from fortythieves.rules.deal import commitment, nonce_commitment
from fortythieves.rules.games import game
from fortythieves.rules.race_rules import why_no_undo
from fortythieves.rules.ranking import places
from fortythieves.rules.tally import Happened, Race, Story, end_of, run_of, stories
from fortythieves.rules.winnable import DEALS, choice_of, leaves_of, path_of, root_of
from fortythieves.solver.day import DayProof, day_of, earlier, game_of, is_won, secret_of
from fortythieves.solver.effort import solve, stars
from fortythieves.times import Ms
from tests.shared.players import Dice, greedy_move
from tests.shared.vectors import read

#: Only for tests: these private keys are published here.
SERVER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))

#: Games with rules that no game of the other races has.
FAMILY = ("congress", "deuces", "little-napoleon", "napoleons-shoulder", "quadrangle", "red-and-black")

#: Some time by the server's clock, in ms.
NOON = Ms(1_795_258_800_000)
#: When the races of these records were set up.
SET_UP = NOON - Ms(60_000)

Log = Sequence[tuple[Ms, str]]
Change = tuple[str, Any]


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


#: The settings of a race. Two of them do not affect results.
SETTINGS: Mapping[str, Any] = {
    "game": "forty-thieves",
    "time_limit": 1200,
    "undo": "turned",
    "late": "watch",
    "deal": "secret",
    "seats": 8,
    "public": False,
}


class Some(NamedTuple):
    """The log of a player who mostly plays cards home and sometimes undoes a move: up to ``most`` entries."""

    seed: int
    most: int
    #: The most ms between two entries, and ms before the first one.
    pace: int = 2500
    after: int = 0


class Seat(NamedTuple):
    """A racer: the log and the other events, both with times in ms since the start."""

    log: Log | Some = ()
    events: tuple[tuple[int, str], ...] = ()
    bot: bool = False


NAMES = ("Ann", "Bob", "Çem", "डैन", "🦊 Eve", "Fay")


def signed_record(
    code: str, settings: Mapping[str, Any], dealt: Deal, seats: Mapping[int, Seat], number: int = 1
) -> Plain:
    rules = {**SETTINGS, **settings}
    limit = rules["time_limit"] * 1000
    race = Race(game(rules["game"]), dealt_deck(dealt), rules["undo"], NOON, NOON + limit)
    logs = {seat: _played(race, one.log) if isinstance(one.log, Some) else one.log for seat, one in seats.items()}
    events = sorted(Happened(NOON + Ms(ms), name, seat) for seat, one in seats.items() for ms, name in one.events)
    told = stories(events)
    ends = {seat: end_of(race, told.get(seat, Story()), run_of(race, log)) for seat, log in logs.items()}
    ranked = places({seat: end for seat, end in ends.items() if end.is_ranked})
    racers = [
        Racer(
            seat,
            NAMES[seat % len(NAMES) - 1],
            seats[seat].bot,
            seat in told and told[seat].started_late is not None,
            *end,
            ranked.get(seat),
        )
        for seat, end in ends.items()
    ]
    timed = {seat: [(NOON + ms, text) for ms, text in log] for seat, log in logs.items()}
    unsigned = race_record.make(code, number, rules, dealt, NOON, racers, timed, events)
    return race_record.sign(unsigned, SERVER)


def _played(race: Race, some: Some) -> Log:
    dice, ms = Dice(some.seed), some.after
    board = Board.deal(race.game, race.deck)
    log: list[tuple[Ms, str]] = []
    while len(log) < some.most and board.outcome is None:
        ms += dice.below(some.pace)
        if not why_no_undo(board, race.undo) and dice.happens(0.15):
            board.undo()
            log.append((Ms(ms), "undo"))
        else:
            move = greedy_move(board, dice)
            board.play(move)
            log.append((Ms(ms), str(move)))
    return log


def won(key: str) -> tuple[str, Log]:
    win = next(win for win in read("wins") if win["game"] == key)
    return str(win["number"]), [(Ms(1500 * n), text) for n, text in enumerate(win["moves"], start=1)]


def nonce_of(n: int, seat: int) -> str:
    return f"{n:016x}{seat:016x}"


def _commitments(n: int, seats: Sequence[int]) -> dict[int, str]:
    return {seat: nonce_commitment(bytes.fromhex(nonce_of(n, seat))) for seat in seats}


def secret_deal(n: int, code: str, race: int, committed: Sequence[int] = (), withheld: Sequence[int] = ()) -> Deal:
    """A secret deal with nonces of the seats that committed to one, apart from those that withheld it."""
    secret = f"{n:064x}"
    return Deal(
        secret,
        {seat: nonce_of(n, seat) for seat in committed if seat not in withheld},
        commitments=_commitments(n, committed),
        promise=promise(SERVER, code, race, commitment(bytes.fromhex(secret)), SET_UP),
    )


class Drawn(NamedTuple):
    """The secrets of a draw of winnable deals, and the deal that the nonces chose."""

    secrets: tuple[bytes, ...]
    dealt: Deal
    proof: Winnable


def drawn(n: int, key: str, code: str, race: int, committed: Sequence[int], withheld: Sequence[int] = ()) -> Drawn:
    """A draw with nonces as in `secret_deal`. Only the chosen deal is known to be winnable."""
    revealed = {seat: nonce_of(n, seat) for seat in committed if seat not in withheld}
    secrets = tuple(hashlib.sha256(f"deal {index} of draw {n}".encode()).digest() for index in range(DEALS))
    hashes = leaves_of(secrets)
    root = root_of(hashes)
    index = choice_of(root, [bytes.fromhex(nonce) for nonce in revealed.values()])
    secret = secrets[index].hex()
    proof = proof_of(key, secrets, index)
    promised = promise(SERVER, code, race, root.hex(), SET_UP)
    return Drawn(secrets, Deal(secret, revealed, None, _commitments(n, committed), promised, proof), proof)


def proof_of(key: str, secrets: Sequence[bytes], index: int) -> Winnable:
    solved = solve(Board.deal(game(key), deck_of(secrets[index].hex(), [], None)))
    if solved.rung is None:
        raise ValueError(f"deal {index} is not won; another draw has other deals")
    path = [one.hex() for one in path_of(leaves_of(secrets), index)]
    return Winnable(stars(key, solved.rung), index, path, [str(move) for move in solved.moves])


#: The day of these records, a Saturday, and its key.
DAY_NUMBER = day_of(NOON)
DAY_KEY = bytes(range(2, 34))


def day_deal(code: str, race: int, *, is_proved: bool = True) -> Deal:
    key, stars = game_of(DAY_NUMBER)
    wanted = stars if is_proved else 0
    counter = next(n for n in count() if not is_proved or is_won(key, stars, secret_of(DAY_KEY, n)))
    secret = secret_of(DAY_KEY, counter)
    promised = promise(SERVER, code, race, commitment(secret), SET_UP)
    proof = DayProof(DAY_NUMBER, DAY_KEY.hex(), counter, wanted)
    return Deal(secret.hex(), promise=promised, source=(code, race), day=proof)


@cache
def winnable_draw() -> Drawn:
    return drawn(1, "lucas", "KQXWVD", 4, (1, 2))


@cache
def by_name() -> Mapping[str, Plain]:
    """All of `races`, read once for all tests, because making them takes 0.3 s. Change only copies."""
    return MappingProxyType({one["name"]: one["record"] for one in read("records")["records"]})


def races() -> Iterator[tuple[str, Plain]]:
    """The races by name: every kind of game, end, deal and undo, and all ways in which nonces get into a deal."""

    def race(
        name: str, code: str, number: int, settings: Mapping[str, Any], dealt: Deal, *seats: Seat | None
    ) -> tuple[str, Plain]:
        """``seats``: from 1; None: nobody has it."""
        taken = {seat: one for seat, one in enumerate(seats, start=1) if one}
        return name, signed_record(code, settings, dealt, taken, number)

    seats: tuple[Seat | None, ...]
    code, maria = "KQXWVD", {"game": "maria", "time_limit": 60}
    dealt = secret_deal(1, code, 1, (1, 2))
    yield race("short", code, 1, maria, dealt, Seat(Some(1, 6)), Seat(Some(2, 5), ((30_000, "gave_up"),)))
    number, line = won("forty-thieves")
    slower = [(ms + Ms(700), text) for ms, text in line]
    seats = Seat(slower), Seat(line, bot=True), None, Seat(Some(3, 60), ((400_000, "gave_up"),)), Seat()
    settings = {"game": "forty-thieves", "time_limit": 600, "deal": number}
    yield race("solved", code, 2, settings, Deal(number=number), *seats)
    dealt = secret_deal(2, code, 3, (1, 2, 3), withheld=(2,))
    some = [Seat(Some(seat, 4), bot=seat == 4) for seat in (1, 2, 3, 4)]
    yield race("a number was withheld", code, 3, maria, dealt, *some, Seat())
    lucas = {"game": "lucas", "time_limit": 60, "deal": "winnable"}
    second = Seat(Some(2, 5), ((30_000, "gave_up"),))
    yield race("winnable", code, 4, lucas, winnable_draw().dealt, Seat(Some(1, 6)), second)
    _, dealt, proof = drawn(ONE_STAR, "lucas", code, 5, (1, 2, 3), withheld=(2,))
    line = [(Ms(1500 * n), move) for n, move in enumerate(proof.line, start=1)]
    seats = Seat(line), Seat(Some(3, 9)), Seat(), Seat(line[:20], bot=True)
    yield race("winnable with one star", code, 5, lucas | {"deal": "winnable-1", "time_limit": 600}, dealt, *seats)

    code = "BCDFGH"
    _, dealt, _ = drawn(ONE_STAR, "lucas", code, 1, (1,), withheld=(1,))
    late = Seat(Some(5, 3, after=20_000), ((20_000, "started_late"),))
    settings = lucas | {"late": "join", "time_limit": 600}
    yield race("winnable without numbers", code, 1, settings, dealt, Seat(Some(4, 4)), late)
    dealt = secret_deal(3, code, 2, (1,), withheld=(1,))
    yield race("nobody's number", code, 2, maria, dealt, Seat(Some(5, 4)), Seat((), ((20_000, "gave_up"),)))
    settings = {"game": "lucas", "time_limit": 120, "undo": "free"}
    seats = Seat(Some(4, 60)), Seat(Some(4, 60)), Seat(Some(5, 30)), None, None, Seat()
    yield race("equal places", code, 3, settings, secret_deal(3, code, 3, (1, 3)), *seats)
    settings = {"game": "indian", "time_limit": 900, "undo": "none"}
    yield race("stuck", code, 4, settings, secret_deal(4, code, 4), Seat(Some(1, 250)), Seat(Some(2, 250)))

    code = "JKLMNP"
    seats = (
        Seat(Some(6, 40), ((60_000, "gave_up"), (64_000, "took_back"))),
        Seat(Some(7, 20), ((90_000, "kicked"),)),
        Seat(Some(8, 20, after=45_000), ((45_000, "started_late"), (150_000, "left"))),
        Seat((), ((-2_000, "started_late"), (-500, "left"))),
        Seat((), ((250_000, "started_late"), (295_000, "gave_up"))),
    )
    settings = {"game": "streets", "time_limit": 300, "late": "join"}
    yield race("comings and goings", code, 1, settings, secret_deal(5, code, 1, (1, 2)), *seats)
    number, line = won("little-forty")
    settings = {"game": "little-forty", "time_limit": 1200, "undo": "free", "deal": number}
    yield race("solved with redeals", code, 2, settings, Deal(number=number), Seat(line), Seat(Some(9, 90)))

    code = "QRSTVW"
    number = "100000000000000000000"
    settings = {"game": "rank-and-file", "time_limit": 60, "deal": number}
    yield race("a high number", code, 2, settings, Deal(number=number), Seat(Some(11, 15)))
    settings = {"game": "maria", "time_limit": 300, "undo": "none"}
    seats = None, Seat(Some(12, 15), ((90_000, "stopped"),)), Seat((), ((60_000, "stopped"),))
    yield race("stopped", code, 3, settings, secret_deal(8, code, 3, (2, 3)), *seats)

    for at, key in enumerate(FAMILY, start=1):
        code, settings = "FGHJKL", {"game": key, "time_limit": 300}
        yield race(key, code, at, settings, secret_deal(10, code, at, (1,)), Seat(Some(13, 60)))

    some = [Seat(Some(20 + seat, 70, pace=300_000), bot=seat > 1) for seat in (1, 2, 3)]
    day = {"game": game_of(DAY_NUMBER)[0], "time_limit": 600}
    yield race("day", "ZXWVTS", 1, day, day_deal("DCBFGH", 1), Seat(Some(5, 12)))
    unproved = day_deal("DCBFGH", 1, is_proved=False)
    yield race("day without a win", "ZXWVTX", 1, day, unproved, Seat(Some(5, 3)))
    settings = {"game": "number-ten", "time_limit": 14_400}
    yield race("long", "XZBCDF", 1, settings, secret_deal(9, "XZBCDF", 1, (1,)), *some)


#: A draw with a deal of one star for the nonces.
ONE_STAR = 4


# Changes


def changed(original: Plain, changes: Sequence[Change]) -> Plain:
    copied: Plain = copy.deepcopy(original)
    for path, value in changes:
        *way, last = path.split(".")
        place: Any = copied
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        if last == "-":
            place.pop()
        elif last == "+":
            place.append(value)
        elif last.endswith("-"):
            del place[last[:-1]]
        else:
            place[int(last) if isinstance(place, list) else last] = value
    return copied


def signed_again(original: Plain, changes: Sequence[Change], key: Ed25519PrivateKey = SERVER) -> list[Change]:
    signed = race_record.sign(changed(original, changes), key)
    return [*changes, ("key", signed["key"]), ("signature", signed["signature"])]


def leaves(value: Any, path: str = "") -> Iterator[Change]:
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, f"{path}.{step}" if path else str(step))
    else:
        yield path, value


def flipped(value: Any) -> Any:
    match value:
        case None:
            return 1
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value and value[-1] in "0123456789abcdef":
            return value[:-1] + ("1" if value[-1] == "0" else "0")
    return value[:-1] + ("X" if value[-1:] != "X" else "Y")


def cases(of: Mapping[str, str]) -> Iterator[tuple[str, list[Change]]]:
    """The changes of each record: texts of ``path=JSON`` or ``path-``, several at once with ``&`` between them."""
    for name, texts in of.items():
        for one in texts.split():
            parts = (change.partition("=") for change in one.split("&"))
            yield name, [(path, json.loads(value) if found else None) for path, found, value in parts]


#: Errors that only the server could sign. A stranger's change shows in the signature.
RESIGNED: list[tuple[str, list[Change]]] = [
    *cases(
        {
            "short": r"""
                racers.0.name="Eve" game="streets" settings.game="streets" game="streets"&settings.game="streets"
                settings.time_limit=61 settings.deal="32001" number="32001"
                commitment="0000000000000000000000000000000000000000000000000000000000000000" commitment=null
                secret=null secret="ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
                nonces.0.1="ffffffffffffffffffffffffffffffff" nonces.1.0=3 nonces=[] starts_at=1795258800001
                ends_at=1795258800001 over_at=1795258800000 racers.0.late=true racers.0.late=true&settings.late="join"
                racers.0.state="solved" racers.0.when=1795258800000 racers.0.home=103 racers.0.moves=7
                racers.0.reached_at=0 racers.0.place=2&racers.1.place=1 racers.0.place=null
                racers.0.state="disqualified"&racers.0.place=null logs.0.1.2.1="99-1" logs.0.1.2.1="redeal"
                logs.0.1.0.1="undo" logs.0.1.1.0=0&logs.0.1.0.0=1 logs.0.1.5.0=60000 logs.0.1.- logs.0.1=[]&logs.1.1=[]
                events=[] events.0.0=1795258850001 events.0.1="took_back" events.0.1="left" events.0.1="kicked"
                events.0.2=1 events.0.0=1795258780000 promise=null code="QQXWVD" race=2 promise.at=1795258740001
                nonces.0.0=2&nonces.1.0=3 commitments=[]
                commitments.0.1="0000000000000000000000000000000000000000000000000000000000000000" racers.0.bot=true
            """,
            "solved": r"""
                number="32002" number="32001"&settings.deal="32001"
                number="100000000000000000001"&settings.deal="100000000000000000001"
                number="32000"&settings.deal="32000" nonces=[[1,"00000000000000000000000000000000"]]
                settings.deal="secret" racers.1.state="stuck" racers.0.place=1 settings.undo="none"
                logs.1.1.+=[290000,"undo"] logs.1.1.+=[290000,"draw"]
                commitments=[[1,"0000000000000000000000000000000000000000000000000000000000000000"]]
            """,
            "equal places": 'racers.1.place=2 settings.undo="none" settings.undo="turned"',
            "stuck": r"""
                racers.0.state="timed_out" settings.undo="free" logs.0.1.+=[111900,"draw"] logs.0.1.+=[111900,"undo"]
                logs.0.1.+=[111900,"draw"]&logs.0.1.+=[111900,"1-2"]
            """,
            "comings and goings": r"""
                settings.late="watch" racers.2.late=false logs.2.1.0.0=44999 logs.2.1.19.0=160001
                events.0.0=1795259100000 racers.3.state="gave_up" racers.1.place=4 commitments.1.0=3
            """,
            "a high number": r"""
                number="32001" secret="0000000000000000000000000000000000000000000000000000000000000000"&number=null
            """,
            "a number was withheld": "nonces.0.0=2 racers.4.place=5",
            "nobody's number": 'racers.1.place=2 settings.deal="32001" settings.deal="winnable"',
            "winnable without numbers": 'winnable.leaf=10 settings.deal="winnable-3"',
        }
    ),
    ("equal places", [("deck", "".join(f"{rank}{suit}" for suit in "CSHD" for rank in "A23456789TJQK") * 2)]),
    ("short", [("promise.signature", "0" * 128)]),
    ("short", [("promise.key", "01" + "0" * 62), ("promise.signature", "01" + "0" * 126)]),
]

#: Records of the wrong format.
MISSHAPEN: list[tuple[str, list[Change]]] = [
    *cases(
        {
            "short": r"""
                code- settings- racers- logs- signature- key- racers.0.seat- settings.undo- settings.watching="everyone"
                settings.watching=[] settings.Watching=1 racers.0.bot=1 more=1 __proto=1 racers.0.lane=1 version=0
                race=true race="1" race=1.5 race=-1 starts_at=9007199254740992 code="kqxwvd" code="KQXWVD\n" settings=[]
                settings.deal="" settings.deal="SECRET" settings.time_limit=59
                secret="FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF" deck="AC" racers=[] racers={}
                racers.0=null racers.0.seat=2 racers.0.seat=3 racers.0.home=105 racers.0.name=1 racers.0.place=0
                nonces.0=[1] nonces.0.0=2 logs.0.0=7 logs.- logs.0.1="draw" logs.0.1.0=["draw",1] logs.0.1.0.0=-1
                logs.0.1.0.1="" logs.0.1.0.1="a\u0020long\u0020text" logs.0.1.0.1="draw\u0020" events.0.1="slept"
                events.0.2=3 promise- commitments- promise=1 promise.at- promise.more=1 promise.key="0"
                commitments.0=[1] commitments.0.0=2
                commitments.0.1="000000000000000000000000000000000000000000000000000000000000000" winnable-
            """,
            "winnable": r"""
                winnable.stars- winnable.leaf- winnable.path- winnable.line- winnable.stars=0 winnable.stars=4
                winnable.stars="1" winnable.leaf=-1 winnable.leaf=16 winnable.leaf=true winnable.path.-
                winnable.path.+="0000000000000000000000000000000000000000000000000000000000000000"
                winnable.path.3="000000000000000000000000000000000000000000000000000000000000000" winnable.path=null
                winnable.line=null winnable.line.0=null winnable.line.0="" winnable.line.0=[0,"draw"]
                settings.deal="winnable-0" settings.deal="winnable-4" settings.deal="winnable-" winnable=1
                winnable.more=1
            """,
            "day": "day- day=1 day.day- day.day=-1 day.key=0 day.counter=300 day.counter=-1 day.stars=4 day.more=1",
        }
    ),
    *(("short", [("deck", deck)]) for deck in ("##" * 104, "AC" * 104, "é" * 208)),
]


def promised_late(original: Plain) -> list[Change]:
    made = promise(SERVER, original["code"], original["race"], original["commitment"], NOON + Ms(1))
    return [("promise.at", made.at), ("promise.signature", made.signature)]


def promised_by_another(original: Plain) -> list[Change]:
    """A promise by another key than the record's: an earlier key of the server, or a stranger's."""
    made = promise(OTHER, original["code"], original["race"], original["commitment"], SET_UP)
    return [("promise.key", made.key), ("promise.signature", made.signature)]


def other_leaf(original: Plain) -> list[Change]:
    """Another deal of the same draw, with its own path and a winning line: the server ignored the nonces."""
    secrets = winnable_draw().secrets
    proof = proof_of(original["game"], secrets, (original["winnable"]["leaf"] + 1) % DEALS)
    secret = secrets[proof.leaf].hex()
    return [
        ("secret", secret),
        *((f"winnable.{name}", value) for name, value in proof._asdict().items()),
        ("deck", names(deck_of(secret, [], None))),
    ]


def broken_draws(one: Plain) -> Iterator[list[Change]]:
    proof = one["winnable"]
    line = proof["line"]
    yield other_leaf(one)
    yield promised_late(one)
    lines: tuple[list[str], ...] = (
        [],
        line[:-1],
        [*line, "draw"],
        [*line[:-1], "99-1"],
        ["undo", *line],
        [line[1], line[0], *line[2:]],
    )
    deals = ("secret", "32001", "winnable-1", "winnable-2", "winnable-3")
    for change in (
        *(("secret", "f" * 64), ("secret", None), ("commitment", "0" * 64), ("commitment", None)),
        *(("winnable.leaf", proof["leaf"] ^ 1), ("winnable.path.0", "0" * 64), ("winnable.path", proof["path"][::-1])),
        *(("nonces.0.1", "f" * 32), ("nonces", []), ("commitments", []), ("promise", None)),
        *(("promise.signature", "0" * 128), ("number", "32001"), ("game", "maria")),
        *(("racers.0.bot", True), ("winnable", None)),
        *(("winnable.line", wrong) for wrong in lines),
        *(("winnable.stars", other) for other in sorted({1, 2, 3} - {proof["stars"]})),
        *(("settings.deal", deal) for deal in deals),
    ):
        yield [change]


def broken_days(one: Plain) -> Iterator[list[Change]]:
    counter = one["day"]["counter"]
    for number, first in ((299, one["day"]["stars"]), (0, 0), (1, 0)):  # 299: without 300 searches
        secret = secret_of(DAY_KEY, number)
        code, race = one["source"]
        made = promise(SERVER, code, race, commitment(secret), SET_UP)
        yield [
            *(("secret", secret.hex()), ("commitment", commitment(secret)), ("promise.signature", made.signature)),
            *(("day.counter", number), ("day.stars", first), ("deck", names(deck_of(secret.hex(), [], None)))),
        ]
    for change in (
        *(("day.day", DAY_NUMBER + 7), ("day.day", DAY_NUMBER + 1), ("day.key", "0" * 64)),
        *(("day.counter", counter + 1), ("day.stars", 3), ("game", "maria")),
    ):
        yield [change]


def broken(records: Mapping[str, Plain]) -> Iterator[tuple[str, list[Change], Keys | None]]:
    """A record, its changes, and the expected keys, each with the time at which it was replaced."""
    server, other = public(SERVER).hex(), public(OTHER).hex()
    one: Keys = {server: None}
    short, winnable = records["short"], records["winnable"]
    for path, value in leaves(short):
        yield "short", [(path, flipped(value))], one
    for path, value in leaves(winnable):
        if path.startswith(("winnable.stars", "winnable.leaf", "winnable.path", "winnable.line.0")):
            yield "winnable", [(path, flipped(value))], one
    for name, changes in RESIGNED:
        yield name, signed_again(records[name], changes), one
    for changes in broken_draws(winnable):
        yield "winnable", signed_again(winnable, changes), one
    for changes in broken_days(records["day"]):
        yield "day", signed_again(records["day"], changes), one
    for name in ("short", "stuck"):
        again = signed_again(records[name], [], OTHER)
        yield name, again, one
        yield name, again, None
    yield "short", signed_again(short, promised_late(short)), one
    several: tuple[Keys | None, ...] = (one, {**one, other: None}, None, {**one, other: SET_UP - Ms(3_600_000)})
    for keys in several:
        yield "short", signed_again(short, promised_by_another(short)), keys
    for until in (None, NOON, NOON - Ms(3_600_000)):
        yield "short", [], {other: None, server: until}
    yield "short", [], {other: None, "0" * 64: None}
    for name, changes in MISSHAPEN:
        yield name, changes, None


def chains() -> Iterator[dict[int, str]]:
    """Keys of days: earlier and later ones of the chain, and wrong ones."""
    yield {DAY_NUMBER - 40: earlier(DAY_KEY, 40).hex(), DAY_NUMBER: DAY_KEY.hex()}
    yield {DAY_NUMBER - 40: earlier(DAY_KEY, 39).hex()}
    yield {DAY_NUMBER: earlier(DAY_KEY, 1).hex()}
    yield {DAY_NUMBER - 1: earlier(DAY_KEY, 1).hex(), DAY_NUMBER + 2: "0" * 64}


def unreadable(short: Plain) -> Iterator[bytes]:
    whole, twin = race_record.packed(short), race_record.as_json(short)
    yield from (b"", b" ", b"hello", b"null", b"[]", b"\x90", b"\xc0", b"\x01", b"\xff", b"\x1f\x8b\x08")
    yield from (b"{}", b"\x80", b'{"format":"forty-thieves-record"}', b'{"format":1,"version":1}')
    yield from (
        whole[:-1],
        whole[: len(whole) // 2],
        whole[:1],
        whole + b"\x00",
        twin[:-1],
        twin[:100],
        twin + b"x",
        b"{",
    )
    for version in (2, 10**9, 0, -1, 1.5, "1", None, True):
        yield race_record.packed({**short, "version": version})
    yield race_record.as_json({"format": race_record.FORMAT, "version": 2})
    yield msgpack.packb({"format": race_record.FORMAT, "version": 1, "code": b"bytes"})
    yield msgpack.packb({"format": race_record.FORMAT, "version": 1, "code": msgpack.ExtType(5, b"x")})
    # The heads of long lists and texts, without their items.
    yield b"\xdf\xff\xff\xff\xff"
    yield b"\x81\xa1a" + b"\xdd\x00\x7f\xff\xff" * 40
    yield b"\x81\xa1a\xdb\xff\xff\xff\xff"


def refusal(data: bytes) -> dict[str, str]:
    try:
        race_record.read(data)
    except Refused as refused:
        return {"bytes": data.hex(), "code": refused.code}
    raise AssertionError(f"{data!r} is read")


def vectors() -> dict[str, Any]:
    records, server = dict(races()), {public(SERVER).hex(): None}
    return {
        "keys": {"server": public(SERVER).hex(), "other": public(OTHER).hex()},
        "records": [
            {
                "name": name,
                "record": one,
                **({"file": packed.hex()} if len(packed := race_record.packed(one)) < 2500 else {}),
                "checks": [plain(check) for check in verify(one, server)],
                "remarks": [
                    {"warns": not found.ok, "code": found.code, **({"params": found.params} if found.params else {})}
                    for found in remarks(one)
                ],
            }
            for name, one in records.items()
        ],
        "broken": [
            {
                "of": name,
                "change": changes,
                "keys": keys,
                "fail": [plain(check) for check in failed(changed(records[name], changes), keys)],
            }
            for name, changes, keys in broken(records)
        ],
        "chains": [
            {
                "links": links,
                "fail": [plain(check) for check in verify(records["day"], server, links) if not check.ok],
            }
            for links in chains()
        ],
        "unreadable": [refusal(data) for data in unreadable(records["short"])],
    }


def plain(check: Check) -> dict[str, Any]:
    found = {**check._asdict(), "params": dict(check.params) or None}
    return {name: value for name, value in found.items() if value is not None}


def failed(one: Plain, key: bytes | Keys | None) -> list[Check]:
    return [check for check in verify(one, key) if not check.ok]
