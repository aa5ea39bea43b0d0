"""All that a seed decides beforehand: the servers, the people, and a swarm of faults."""

import random
from dataclasses import dataclass, replace
from typing import Any

from tests.shared.vectors import read
from tests.sim.faults import FAULTS
from tests.sim.players import HABITS, OF_CHALLENGES, OF_TOURNAMENTS, OFTEN

#: The kinds of Redis, of which some are drawn more often.
REDISES = ("single", "single", "sentinel", "sentinel", "sentinel safe", "cluster")
#: The faults of a long day.
KILLS = ("crash", "stop", "redis_crash", "cut", "pause")
#: Unusual settings of tournaments.
PLANS: dict[str, tuple[Any, ...]] = {
    "entry": ("password", "list"),
    "listed": (("Host 0", "Player 0 1", "Player 0 2", "Nobody"),),
    "spectators": ("open",),
    **dict.fromkeys(("links_only", "blind", "quiet", "deadly"), (True,)),
    **dict.fromkeys(("by_timer", "third_place", "second_final"), (False,)),
    "team_size": (1, 2),
    "check_in": (10,),
    "late": (0, 1),
    "groups": (2,),
    "advance": (0, 2),
    "no_show": (10,),
    "most": (2, 3),
    "ladder": (({"game": "lucas"}, {"game": "little-forty"}),),
    "apart": ((("Host 0", "Player 0 1"),),),
    "minutes": (5,),
    "race_size": (3,),
}


@dataclass(frozen=True)
class Struck:
    """A fault of some kind at some time; ``x`` (from 0 to 1) decides where and how long: ``lasts`` on average."""

    at: float
    kind: str
    x: float
    lasts: float = 3.0


@dataclass(frozen=True)
class Crowd:
    """The people of one room. ``plan``: of a tournament."""

    players: int
    spectators: int
    settings: dict[str, Any]
    plan: dict[str, Any] | None = None
    #: Seconds between two actions of a player, on average; its other actions, and how often it takes one.
    pace: float = 0.4
    habits: tuple[str, ...] = ()
    whim: float = 0.02
    #: How many guests accept each challenge of these people.
    guests: int = 0


@dataclass(frozen=True)
class Script:
    """It can be made smaller if it leads to a failure (`shrink`)."""

    seed: int
    redis: str
    processes: int
    crowds: tuple[Crowd, ...]
    seconds: float
    faults: tuple[Struck, ...]
    #: Whether the clients of a room prefer one process.
    near: bool = True
    #: For how many seconds a challenge is open.
    open_for: float = 86_400.0
    #: Whether there are deals of days, each for as long.
    has_days: bool = False


def script_of(seed: int, kind: str = "", seconds: float = 50.0) -> Script:
    """The script of a seed. ``kind``: of Redis.

    Most seeds have few kinds of faults that strike again and again, because then the same two meet in many ways.
    """
    dice = random.Random(f"script {seed}")
    drawn = dice.choice(REDISES)
    redis = kind or drawn
    if redis == "sentinel" and dice.random() < 0.5:
        return _wanderers(dice, seed, seconds)
    themes = ("server", "network", "redis", *3 * (redis.partition(" ")[0],), "lossy")
    names = [
        [name for name, fault in FAULTS.items() if fault.where == theme for _ in range(fault.often)] for theme in themes
    ]
    if quiet := dice.random() < 0.25:  # if nothing else fails, all must soon know of a move, although they missed it
        chosen = [name for name, fault in FAULTS.items() if fault.is_mild and fault.where in themes]
        gap = 4.0
    else:
        chosen = [dice.choice(dice.choice(names)) for _ in range(dice.choice((1, 1, 2, 2, 2, 2, 3, 8)))]
        gap = dice.choice((0.5, 2.0, 4.0))
    lasts = 30.0 if quiet else dice.choice((0.5, 3.0, 15.0))
    # Some seeds have time to notice missed messages, while people do all that they do.
    at, end = dice.choice((3.0, 15.0)), seconds * dice.choice((0.5, 1.0))
    most = 1 if quiet else dice.choice((1, 1, 3, 10))  # several at nearly the same time show more than one alone
    faults = []
    while chosen and (at := at + dice.expovariate(1 / gap) * (1 + most) / 2) < end:
        name, near = dice.choice(chosen), dice.choice((0.02, 0.3, 1.0))
        for _ in range(dice.randint(1, most)):
            faults.append(Struck(round(at, 3), name, dice.random(), lasts))
            at, name = at + dice.random() * near, dice.choice((name, *chosen))
    crowds = [_crowd(dice, quiet=quiet) for _ in range(dice.choice((1, 1, 2, 3)))]
    pace = dice.choice((0.04, 0.08, 0.2)) * sum(crowd.players for crowd in crowds)
    return Script(
        seed,
        redis,
        2 if quiet else dice.choice((1, 2, 2, 2, 3)),
        tuple(replace(crowd, pace=round(pace, 2)) for crowd in crowds),
        seconds,
        tuple(faults),
        dice.random() < 0.3 and not quiet,
        dice.choice((90.0, 120.0, 86_400.0)),
    )


def _wanderers(dice: random.Random, seed: int, seconds: float) -> Script:
    """People alone in their rooms change devices and processes, while some processes go on with an old master.

    A racer beside them would soon notice that moves are missing. Here only the hash of a log shows it.
    """
    faults = [Struck(6 + 24 * dice.random(), "failover", dice.random()) for _ in range(dice.randint(1, 2))]
    settings = {"countdown": 3, "time_limit": 90, "undo": dice.choice(("none", "free"))}
    crowd = Crowd(1, 0, settings, pace=0.1, habits=("other device",), whim=dice.choice((0.004, 0.01)))
    return Script(seed, "sentinel", 2, (crowd,) * 4, seconds, tuple(faults), near=False)


def day_of(seed: int) -> Script:
    """Some hours in which two people challenge guests who come at any time, while processes and machines die."""
    dice, at, faults = random.Random(f"day {seed}"), 0.0, list[Struck]()
    while (at := at + dice.expovariate(1 / 200)) < 5400.0:
        faults.append(Struck(round(at, 3), dice.choice(KILLS), dice.random(), 5.0))
    settings = {"countdown": 3, "time_limit": dice.choice((60, 120)), "game": dice.choice(("lucas", "little-forty"))}
    crowd = Crowd(2, 1, settings, pace=10.0, habits=("break", *OF_CHALLENGES), whim=0.05, guests=30)
    redis = ("single", "sentinel safe")[seed % 2]
    return Script(seed, redis, 2, (crowd,), 5400.0, tuple(faults), near=False, open_for=3600.0, has_days=True)


def _crowd(dice: random.Random, *, quiet: bool) -> Crowd:
    win, plan = dice.choice(read("wins")), None
    settings = {
        "countdown": dice.randint(3, 5),
        "time_limit": dice.choice((60, 90)),
        "undo": dice.choice(("none", "turned", "turned", "free")),
        "watch": dice.choice(("progress", "frontier", "frontier", "delayed", "open")),
        "delay": dice.choice((10, 20)),
        "game": win["game"],
        "deal": dice.choice(("secret", str(win["number"]))),
        "after_win": dice.choice((0, 3)),
    }
    habits = [name for name in HABITS if dice.random() < (0.6 if name in OFTEN else 0.4)]
    players, whim, guests = dice.choice((1, 2, 3, 3, 4)), dice.choice((0.01, 0.03, 0.1)), dice.choice((0, 0, 2, 5))
    if quiet:  # other actions hide a lost notification
        players, habits, whim, guests = 3, ["think"], min(whim, 0.03), 0
    elif dice.random() < 0.3:
        plan = {
            "format": dice.choice(("points", "swiss", "knockout", "double", "roundrobin", "arena", "arena")),
            "pause": 20,
            "rounds": 2,
            **{key: dice.choice(PLANS[key]) for key in dice.sample(sorted(PLANS), dice.randint(0, 4))},
        }
        settings["time_limit"], guests = 60, 0
        habits += OF_TOURNAMENTS
    elif settings["watch"] in {"progress", "frontier"}:
        settings["late"] = dice.choice(("refuse", "watch", "join"))
    habits += OF_CHALLENGES * (guests > 0)
    return Crowd(players, dice.choice((0, 1, 1, 2)), settings, plan, 0.4, tuple(habits), whim, guests)
