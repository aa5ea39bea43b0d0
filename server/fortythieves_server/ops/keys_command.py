"""The command ``forty-thieves keys``: show the keys with which a server signs, and rotate them."""

from datetime import UTC, datetime
from typing import Literal

from fortythieves.times import Ms, seconds_of
from fortythieves_server.web.key_rotation import ANNOUNCED, Rings, published_keys

What = Literal["passes", "records", "all"]


async def rotate(rings: Rings, what: What | None, now: Ms) -> list[str]:
    """Rotate some keys, if any. Returns the lines to print. Raises `StoreDown`."""
    await rings.read()
    if what is not None:
        await rings.rotate(passes=what != "records", records=what != "passes")
    keys = published_keys(rings.records, now)["keys"]
    lines = [f"records  {key['key']}  {_when(key['since'])} to {_when(key['until'])}" for key in keys]
    if what is not None:
        seconds = ANNOUNCED // Ms(1000)
        lines.append(f"All servers on this Redis use the new key in {seconds} seconds. No server needs a restart.")
    if what in ("passes", "all"):
        lines.append("Guest tokens signed with the old key stay valid for 30 more days.")
    if what in ("records", "all"):
        lines.append("Records signed with the old key stay valid.")
    return lines


def _when(at: Ms | None) -> str:
    return "now" if at is None else "the first" if not at else datetime.fromtimestamp(seconds_of(at), UTC).isoformat()
