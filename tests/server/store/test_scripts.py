"""The scripts as they are shipped; what they do is the contract of the store."""

from hashlib import sha1
from importlib.resources import files

from fortythieves_server.store import scripts
from fortythieves_server.store.scripts import PARTS
from tests.server.stores import Admin


def test_every_file_is_part_of_a_script() -> None:
    found = {file.name for file in files(scripts).iterdir() if file.name.endswith(".lua")}
    assert found == {f"{part}.lua" for parts in PARTS.values() for part in parts}


def test_a_script_that_appends_to_a_log_first_checks_the_epoch_and_the_position() -> None:
    for name in ("commit", "delete"):
        assert PARTS[name][:2] == ("head", "position")


async def test_redis_knows_each_script_by_the_name_that_it_is_called_by(admin: Admin) -> None:
    for form in (form for script in scripts.load().values() for form in script):
        assert await admin.redis.script_load(form.text) in (form.sha, form.sha.encode())
        assert form.sha == sha1(form.text.encode()).hexdigest()


def test_where_pub_sub_is_sharded_no_script_publishes_to_all_nodes() -> None:
    for script in scripts.load().values():
        assert ("PUBLISH'" in script.plain.text) == ("'SPUBLISH'" in script.sharded.text)
        assert "'PUBLISH'" not in script.sharded.text and "'NUMSUB'" not in script.sharded.text
