import pytest

from fortythieves_server.common.limits import Bucket, Limits, Rate, key_of


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(Rate(2, "s", 5))
    assert [bucket.take(100.0) for _ in range(6)] == [True] * 5 + [False]
    for now, taken in ((100.4, False), (50.0, False), (100.5, True), (100.5, False)):
        assert bucket.take(now) == taken
    assert [bucket.take(1_000.0) for _ in range(6)] == [True] * 5 + [False], "no more than the burst after a long pause"


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_all_notations_of_an_address_have_one_key(address: str, key: str) -> None:
    assert key_of(address) == key


@pytest.mark.parametrize(("text", "per_second"), [("60/s+120", 60), ("20/hour+10", 20 / 3600), ("30/min+1", 0.5)])
def test_the_text_of_a_rate_round_trips(text: str, per_second: float) -> None:
    assert str(Rate.parse(text)) == text and Rate.parse(text).per_second == per_second


@pytest.mark.parametrize("text", ["", "60", "60/s", "60/day+1", "-1/s+1", "0/s+1", "1/s+0", "1.5/s+1", "٣/s+1\n"])
def test_a_wrong_rate_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not a rate like"):
        Rate.parse(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no limit ''"),
        ("speed=1", "there is no limit 'speed', only points, kept, bytes, cpu, rooms"),
        ("rooms=1", "'1' is not a rate"),
        ("connections=0", "'0' is not a whole number from 1 up"),
        ("connections=many", "'many' is not a whole number"),
        ("frame=-1", "'-1' is not a whole number"),
    ],
)
def test_a_wrong_limit_is_an_error(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Limits().changed(text)


def test_each_limit_can_be_changed_by_name() -> None:
    limits = Limits()
    for name, value in limits._asdict().items():
        assert limits.changed(f"{name}={value}") == limits
    changed = limits.changed("rooms=100/hour+50").changed("connections=500")
    assert changed == limits._replace(rooms=Rate(100, "hour", 50), connections=500)
