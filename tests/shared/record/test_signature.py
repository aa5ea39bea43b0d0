"""Ed25519 without weak keys, with which anyone can sign. JavaScript is tested with the same vectors."""

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.record.signature import is_signed, is_sound
from tests.shared.make_records import by_name, changed
from tests.shared.vectors import read

VECTORS = read("signatures")
WEAK = [bytes.fromhex(point) for point in VECTORS["weak"]]
SHORT = by_name()["short"]
#: The field of the curve (RFC 8032, 5.1).
P = 2**255 - 19


def openssl_accepts(content: bytes, signature: bytes, key: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def test_no_point_of_small_order_is_sound_however_it_is_written() -> None:
    assert not any(map(is_sound, WEAK))
    assert all(is_sound(bytes.fromhex(point)) for point in VECTORS["sound"])


def test_a_point_is_written_in_one_way() -> None:
    """The numbers from p up to 2^255 are a second form of the smallest nineteen."""
    for y in range(P, 2**255):
        assert not is_sound(y.to_bytes(32, "little"))


@pytest.mark.parametrize("key", WEAK, ids=bytes.hex)
def test_a_key_of_small_order_is_refused_though_openssl_accepts_it(key: bytes) -> None:
    accepted = 0
    for r in WEAK:
        for content in (bytes([n]) for n in range(32)):
            accepted += openssl_accepts(content, r + bytes(32), key)
            assert not is_signed(content, r + bytes(32), key)
    assert accepted, "the attack is one"


def test_the_record_of_a_stranger_does_not_pass_with_a_key_that_nobody_has() -> None:
    """R is the identity and S is 0. As the key, the identity signs anything, and a point of order 8 one text in 8."""
    identity = "01" + "00" * 31
    for key in map(bytes.hex, WEAK):
        for number in range(1, 17):
            forged = changed(
                SHORT, [("racers.0.name", f"Eve {number}"), ("key", key), ("signature", identity + "00" * 32)]
            )
            assert [check.check for check in verify(forged) if not check.ok] == ["signature"]
    forged = changed(SHORT, [("key", identity), ("signature", identity + "00" * 32)])
    assert openssl_accepts(
        race_record.signed_bytes(forged), bytes.fromhex(forged["signature"]), bytes.fromhex(identity)
    )


def test_what_is_signed_is_accepted_and_nothing_else() -> None:
    for one in VECTORS["signed"]:
        content, signature, key = (bytes.fromhex(one[name]) for name in ("content", "signature", "key"))
        assert is_signed(content, signature, key) == one["ok"], one
