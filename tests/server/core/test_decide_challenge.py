"""A challenge: who may open it, the one try of each guest, and who sees results."""

from typing import Any

import msgspec
import pytest

from fortythieves.protocol import to_server as say
from fortythieves.record import proof, race_record
from fortythieves.solver.day import DAY, DayProof, begins_at, secret_of
from fortythieves.times import Ms
from fortythieves_server.core import decide, decide_arena, decide_challenge, events, evolve, finished_race, room_list
from fortythieves_server.core.challenge import SHOWN, Challenge
from tests.refusals import refusal
from tests.server.tables import MINUTE, NOON, SECOND, SERVER, Table, over, racing
from tests.shared.make_records import DAY_KEY, DAY_NUMBER

GHOST = ((Ms(0), 0), (Ms(70_000), 1))


def finished(**settings: Any) -> Table:
    """A race that Ann finished with 9 cards home and Bob with 4, on an ordinary secret deal."""
    table = racing(2, **settings)
    table.moves(1, home=9)
    table.moves(2, home=4)
    table.run_out()
    return table


class Contest:
    def __init__(self, days: int = 1, **settings: Any) -> None:
        self.source = finished(time_limit=1200, **settings)
        self.room = Table()
        self.room.now = self.source.now
        request = say.Challenge(1, self.source.room.code, 1, days)
        race = self.source.race
        _, created, challenge = decide_challenge.opened(self.source.room, race, "ann", request, self.room.now)
        created = msgspec.structs.replace(created, challenge=msgspec.structs.replace(challenge, ghost=GHOST))
        created = as_stored(msgspec.structs.replace(created, code="CHLLNG"))
        self.room.log, self.room.room = [(self.room.now, created)], evolve.begin(self.room.now, created)
        self.tries: dict[str, Table] = {}

    @property
    def challenge(self) -> Challenge:
        assert self.room.room.challenge is not None
        return self.room.room.challenge

    def control(self, request: say.ChangeChallenge | say.RemoveTry, password: str | None = None) -> None:
        self.room.ask(lambda room, context: decide_challenge.control(room, "ann", request, context.now, password))

    def start(self, guest: str, address: str = "") -> Table:
        """Begin a guest's try, as `rooms.heats` does."""
        room, n = self.room.room, len(self.tries)
        code = f"TRY{chr(65 + n // 26) * 2}{chr(65 + n % 26)}"
        decide_challenge.check_may_try(room, guest, address, self.room.now)
        created = decide_challenge.room_of_try(room, guest, guest.title(), 5, self.room.now)
        self.room.ask(
            lambda room, context: decide_challenge.start(room, guest, guest.title(), 5, code, address, context)
        )
        table = Table()
        created = as_stored(msgspec.structs.replace(created, code=code))
        table.now, table.log = self.room.now, [(self.room.now, created)]
        table.room = evolve.begin(self.room.now, created)
        self.tries[guest] = table
        return table

    def tell(self, table: Table) -> None:
        self.room.now = max(self.room.now, table.now)
        result = decide_arena.result_to_report(table.room, table.progress)
        assert result is not None
        self.room.ask(lambda room, _: decide_challenge.try_ended(room, guest_of(table), table.room.code, result))

    def race(self, guest: str, home: int, address: str = "") -> Table:
        table = under_way(self.start(guest, address))
        table.moves(1, home=home)
        table.run_out()
        self.tell(table)
        return table

    def places(self) -> dict[str, int | None]:
        return {one.guest: self.challenge.place(number) for number, one in self.challenge.tries.items()}

    def sees(self, guest: str) -> dict[str, Any]:
        return self.room.view(racing=self.challenge.hides_from(guest))


def guest_of(table: Table) -> str:
    assert table.room.of_arena is not None
    return table.room.of_arena.racers[0].guest


class ContestOfDay(Contest):
    """The deal of a day, an hour after it opened."""

    def __init__(self, counter: int = 0) -> None:
        proof_of_day = DayProof(DAY_NUMBER, DAY_KEY.hex(), counter, 1)
        created = as_stored(msgspec.structs.replace(decide_challenge.opened_day(proof_of_day), code="DAYDAY"))
        self.room = Table()
        self.room.now = begins_at(DAY_NUMBER) + 60 * MINUTE
        self.room.log, self.room.room = [(self.room.now, created)], evolve.begin(self.room.now, created)
        self.tries = {}


def as_stored(created: events.Created) -> events.Created:
    read = events.decode(events.encode(created))
    assert isinstance(read, events.Created)
    assert read == msgspec.convert(msgspec.to_builtins(created), events.Created)
    return read


def under_way(table: Table) -> Table:
    table.join(table.room.people[1].guest)
    table.ready(1)
    table.settle()
    table.now = table.race.starts_at or Ms(0)
    return table


def test_a_try_is_raced_on_the_deal_of_the_earlier_race_without_another_wait_for_numbers() -> None:
    contest = Contest()
    table = contest.start("cem")
    table.join("cem")
    table.ready(1)
    assert table.settle() == [events.Counted((1,))]
    assert table.race.deck == contest.source.race.deck
    assert not table.race.revealing


@pytest.mark.parametrize("deal", ["secret", "winnable", "winnable-2", "32001"])
def test_a_try_on_any_kind_of_deal_has_the_cards_and_the_promise_of_the_earlier_race(deal: str) -> None:
    contest = Contest(deal=deal)
    table = under_way(contest.start("cem"))
    assert table.race.deck == contest.source.race.deck
    assert table.race.dealt.promise == contest.source.race.dealt.promise


@pytest.mark.parametrize("deal", ["secret", "32001"])
def test_the_record_of_a_try_can_be_verified(deal: str) -> None:
    contest = Contest(deal=deal)
    table = under_way(contest.start("cem"))
    table.run_out()
    record = race_record.sign(finished_race.record_of(table.room.code, table.race, [*table.log], {1: []}), SERVER)
    assert record["source"] == (None if deal == "32001" else [contest.source.room.code, 1])
    checks = proof.verify(race_record.read(race_record.packed(record)), SERVER.public_key().public_bytes_raw())
    assert [one for one in checks if not one.ok] == []


def test_a_record_of_a_try_that_names_another_race_is_refused() -> None:
    table = under_way(Contest().start("cem"))
    table.run_out()
    record = finished_race.record_of(table.room.code, table.race, [*table.log], {1: []})
    for source in (None, ["QQQQQQ", 1]):
        changed = race_record.sign({**record, "source": source}, SERVER)
        assert "bad-promise" in {one.code for one in proof.verify(changed)}


def test_a_guest_has_one_try_and_a_second_device_goes_on_with_it() -> None:
    contest = Contest()
    contest.start("cem")
    before = contest.challenge
    contest.start("cem")
    assert contest.challenge == before
    assert len(contest.challenge.tries) == 2  # with the challenger's result


def test_the_name_of_a_try_is_clean() -> None:
    contest = Contest()
    contest.room.ask(
        lambda room, context: decide_challenge.start(room, "cem", "C\u202eem\u200b", 5, "TRYAAA", "", context)
    )
    assert contest.challenge.tries[2].name == "Cem"
    assert refusal(decide_challenge.room_of_try, contest.room.room, "dan", "x" * 10_000, 5, NOON) == "bad-name"


def test_the_racers_of_the_earlier_race_know_its_cards_and_get_no_try() -> None:
    contest = Contest()
    assert refusal(contest.start, "ann") == "knows-deal"
    assert refusal(contest.start, "bob") == "knows-deal"


def test_tries_rank_by_their_own_clocks() -> None:
    contest = Contest()
    contest.race("cem", home=4)
    contest.room.wait(Ms(3_600_000))
    contest.race("dan", home=12)
    assert contest.places() == {"dan": 1, "ann": 2, "cem": 3}
    slow = under_way(contest.start("eve"))
    slow.wait(Ms(1_000))
    slow.moves(1, home=12)
    slow.run_out()
    contest.tell(slow)
    assert contest.places() == {"dan": 1, "eve": 2, "ann": 3, "cem": 4}
    assert room_list.preview(contest.room.room, "cem")["own"] == (4, 4)
    assert "own" not in room_list.preview(contest.room.room, "fay")


def test_a_result_is_counted_once_however_often_it_is_reported() -> None:
    contest = Contest()
    table = contest.race("cem", home=4)
    before = contest.challenge
    contest.tell(table)
    assert contest.challenge == before


def test_a_guest_sees_no_result_but_the_challengers_before_their_own() -> None:
    contest = Contest()
    contest.race("cem", home=40)
    blind = contest.sees("dan")
    assert (
        blind["challenge"]["result"][:3] == ("Ann", 1, contest.source.room.code) or blind["challenge"]["name"] == "Ann"
    )
    assert blind["challenge"]["tries"] == 1
    assert "Cem" not in str(blind)
    contest.start("dan")
    assert "Cem" not in str(contest.sees("dan"))
    contest.tell(_given_up(contest.tries["dan"]))
    assert contest.sees("dan")["challenge"]["best"]["2"][0] == "Cem"


def _given_up(table: Table) -> Table:
    under_way(table).wait(10 * SECOND)
    table.moves(1)
    table.do(1, say.GiveUp(1))
    table.after(20 * SECOND)
    return table


def test_words_of_those_who_have_raced_are_hidden_from_the_others() -> None:
    contest = Contest()
    assert refusal(contest.room.chat_from, "cem") == "try-first"
    contest.race("cem", home=2)
    contest.room.chat_from("cem")
    assert contest.sees("ann")["chat"]
    assert not contest.sees("dan")["chat"]


def test_a_challenge_closes_by_the_clock_and_then_all_see_all() -> None:
    contest = Contest(days=7)
    contest.race("cem", home=4)
    opened = contest.source.now
    assert decide.next_due(contest.room.room, {}) == opened + 7 * DAY
    contest.room.settle_at(opened + 7 * DAY)
    assert contest.challenge.closed
    assert refusal(contest.start, "dan") == "challenge-over"
    assert contest.sees("dan")["challenge"]["best"]["2"][0] == "Cem"
    assert decide.next_due(contest.room.room, {}) is None


@pytest.mark.parametrize(("before", "limit"), [(30 * MINUTE, 1200), (10 * MINUTE, 582), (78 * SECOND, 60)])
def test_a_late_try_has_less_time_and_ends_before_the_challenge(before: Ms, limit: int) -> None:
    contest = Contest()
    contest.room.now = contest.challenge.opened.closes_at - before
    table = under_way(contest.start("cem"))
    assert table.race.settings.time_limit == limit
    assert (table.race.ends_at or NOON) <= contest.challenge.opened.closes_at


def test_no_try_begins_in_the_last_minute() -> None:
    contest = Contest()
    contest.room.now = contest.challenge.opened.closes_at - 77 * SECOND
    assert refusal(contest.start, "cem") == "challenge-over"


def test_the_owner_closes_early_and_removes_results_and_nobody_else_does() -> None:
    contest = Contest()
    contest.race("cem", home=40)
    for request in (say.RemoveTry(1, 2), say.ChangeChallenge(1, 0)):
        assert refusal(decide_challenge.control, contest.room.room, "cem", request, contest.room.now) == "not-host"
    contest.control(say.RemoveTry(1, 2))
    assert contest.places() == {"ann": 1, "cem": None}
    assert (
        refusal(decide_challenge.control, contest.room.room, "ann", say.RemoveTry(1, 1), contest.room.now)
        == "unknown-seat"
    )
    contest.room.ask(
        lambda room, context: decide_challenge.control(room, "ann", say.ChangeChallenge(1, 0), context.now)
    )
    assert contest.challenge.closed


def test_the_owner_changes_how_long_it_is_open_and_its_password() -> None:
    contest = Contest(days=7)
    opened = contest.challenge.opened

    def change(days: int, password: str | None = None) -> None:
        request = say.ChangeChallenge(1, days)
        contest.control(request, password)

    change(7)
    assert contest.challenge.opened == opened
    change(30, "hash")
    assert contest.challenge.opened.closes_at - opened.closes_at == 23 * DAY
    change(1)
    assert contest.sees("cem")["challenge"]["locked"]  # the password stays
    change(1, "")
    assert not contest.sees("cem")["challenge"]["locked"]
    contest.room.now = contest.challenge.opened.closes_at
    assert decide_challenge.due(contest.room.room, contest.room.now) == [events.ChallengeClosed()]


@pytest.mark.parametrize("days", [0, 1])
def test_a_try_under_way_does_not_count_if_the_challenge_closes_earlier(days: int) -> None:
    contest = Contest(days=7)
    contest.room.now += DAY - 60 * SECOND
    contest.start("cem")
    request = say.ChangeChallenge(1, days)
    contest.control(request)
    assert [one.removed for one in contest.challenge.tries.values()] == [False, True]


def test_tries_of_one_address_are_known_to_the_owner() -> None:
    contest = Contest()
    for guest, address in (("cem", "one"), ("dan", "other"), ("eve", "one"), ("fay", "")):
        contest.start(guest, address)
    assert decide_challenge.same_address(contest.challenge) == [(2, 4)]


def test_only_a_racer_of_a_finished_ordinary_race_may_challenge() -> None:
    request = say.Challenge(1, "KQXWVD", 1, 1)

    def code(table: Table, guest: str) -> str:
        return refusal(decide_challenge.opened, table.room, table.race, guest, request, table.now)

    table = finished()
    assert code(table, "stranger") == "not-your-race"
    assert code(racing(2), "ann") == "not-your-race"
    assert code(over(2), "ann") == "not-your-race"  # without a move there is nothing to beat
    contest = Contest()
    assert code(contest.race("cem", home=1), "cem") == "not-your-race"


def test_a_challenge_shows_its_best_tries_and_counts_the_others() -> None:
    contest = Contest(days=30)
    for n in range(SHOWN + 20):
        contest.race(f"guest {n}", home=n % 50)
    view = contest.sees("ann")["challenge"]
    assert (view["tries"], view["finished"], len(view["best"])) == (SHOWN + 20, SHOWN + 21, SHOWN)
    homes = [row[4] for row in view["best"].values()]
    assert homes == sorted(homes, reverse=True)
    assert view["median"][4] == sorted([9, *(n % 50 for n in range(SHOWN + 20))], reverse=True)[(SHOWN + 21) // 2]


def test_replaying_the_log_of_a_challenge_gives_its_state() -> None:
    contest = Contest()
    contest.race("cem", home=3)
    contest.race("eve", home=4)
    contest.start("dan")
    removed = say.RemoveTry(1, contest.challenge.numbers["cem"])
    contest.control(removed)
    contest.room.ask(
        lambda room, context: decide_challenge.control(room, "ann", say.ChangeChallenge(2, 0), context.now)
    )
    assert contest.places()["eve"] and not contest.places()["cem"]
    assert evolve.replay(contest.room.log) == contest.room.room


def test_the_deal_of_a_day_is_raced_without_a_challenger_and_the_first_result_is_the_best() -> None:
    contest = ContestOfDay()
    assert contest.sees("cem")["challenge"] | {"ghost": []} == {
        "name": "",
        "result": None,
        "ghost": [],
        "locked": False,
        "tries": 0,
        "closed": False,
        "day": (DAY_NUMBER, 1),
        "opens_at": begins_at(DAY_NUMBER),
        "closes_at": begins_at(DAY_NUMBER + 1),
    }
    contest.race("cem", home=4)
    contest.race("dan", home=9)
    assert contest.places() == {"cem": 2, "dan": 1}
    assert contest.sees("cem")["challenge"]["finished"] == 2
    assert evolve.replay(contest.room.log) == contest.room.room


def test_no_try_begins_before_the_day_opens_or_when_it_is_over() -> None:
    contest = ContestOfDay()
    contest.room.now = begins_at(DAY_NUMBER) - Ms(1)
    assert refusal(contest.start, "cem") == "not-open-yet"
    contest.room.now = begins_at(DAY_NUMBER)
    contest.start("cem")
    contest.room.settle_at(begins_at(DAY_NUMBER + 1))
    assert refusal(contest.start, "dan") == "challenge-over"


def test_no_view_has_the_secret_of_a_day_and_its_record_proves_the_day() -> None:
    contest = ContestOfDay(counter=3)
    table = contest.race("cem", home=0)
    for view in (table.view(), contest.sees("cem")):
        assert secret_of(DAY_KEY, 3).hex() not in str(view) and DAY_KEY.hex() not in str(view)
    record = finished_race.record_of(table.room.code, table.race, [*table.log], {1: []})
    assert record["day"] == {"day": DAY_NUMBER, "key": DAY_KEY.hex(), "counter": 3, "stars": 1}
    assert record["source"] == ["DAYDAY", 1]


def test_there_is_no_chat_about_the_deal_of_a_day_because_nobody_could_remove_a_guest() -> None:
    contest = ContestOfDay()
    contest.race("cem", home=0)
    assert refusal(contest.room.chat_from, "cem") == "no-chat"
