"""The Lua scripts: their parts, names and forms. The tests of the store say what they do."""

from hashlib import sha1

from fortythieves_server.store import scripts
from tests.server.stores import Admin


async def test_redis_computes_the_same_hash_of_each_script(admin: Admin) -> None:
    for form in (form for script in scripts.load().values() for form in script):
        assert await admin.redis.script_load(form.text) in (form.sha, form.sha.encode())
        assert form.sha == sha1(form.text.encode()).hexdigest()


def test_sharded_scripts_do_not_publish_to_all_nodes() -> None:
    for script in scripts.load().values():
        assert ("PUBLISH'" in script.plain.text) == ("'SPUBLISH'" in script.sharded.text)
        assert "'PUBLISH'" not in script.sharded.text and "'NUMSUB'" not in script.sharded.text
