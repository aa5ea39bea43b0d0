"""Lua scripts as Redis runs them."""

from collections.abc import Callable, Sequence
from hashlib import sha1
from itertools import count
from typing import Any

from lupa import lua51

from tests.sim.redis_values import Error, Status, number

#: Runs a command: words -> the kind of the answer (b"value", b"list", b"status", b"error") and its values.
Call = Callable[[Sequence[bytes]], tuple[Any, ...]]

#: The functions that a script finds, and the way to run one: errors of commands are tables, and other errors are texts.
_LIBRARY = b"""
local call, sha1hex = ...
local function answer(kind, ...)
  if kind == 'value' then return (...) end
  if kind == 'list' then return {...} end
  return {[kind == 'status' and 'ok' or 'err'] = (...)}
end
redis = {sha1hex = sha1hex}
function redis.pcall(...) return answer(call(...)) end
function redis.call(...)
  local found = answer(call(...))
  if type(found) == 'table' and found.err then error(found, 0) end
  return found
end
function redis.status_reply(text) return {ok = text} end
function redis.error_reply(text) return {err = text} end
setmetatable(_G, {__newindex = function(_, name) error('Attempt to modify a readonly table: ' .. name) end})
return pcall
"""


class Scripts:
    """The compiled scripts of all nodes. Scripts keep nothing, so nodes can share them."""

    def __init__(self) -> None:
        self._lua: Any = lua51.LuaRuntime(
            encoding=None, unpack_returned_tuples=True, register_eval=False, register_builtins=False
        )
        self._compiled: dict[bytes, Any] = {}
        self._by_text: dict[bytes, bytes] = {}
        self._call: Call = lambda words: ()
        self._pcall = self._lua.execute(_LIBRARY, self._run_command, _sha1)

    def compile(self, text: bytes) -> bytes:
        """The hash of a script, which can then be run."""
        sha = self._by_text.get(text)
        if sha is None:
            sha = self._by_text[text] = _sha1(text)
            self._compiled[sha] = self._lua.execute(b"return function(KEYS, ARGV) " + text + b"\nend")
        return sha

    def run(self, sha: bytes, keys: Sequence[bytes], arguments: Sequence[bytes], call: Call) -> tuple[str, Any]:
        """Run a compiled script. Returns the kind of its answer ("value", "status", "error"), and the answer."""
        self._call = call
        table = self._lua.table_from
        result = self._pcall(self._compiled[sha], table(keys), table(arguments))
        fine, found = result if isinstance(result, tuple) else (True, None)
        if isinstance(found, Exception):
            raise found
        if not fine and isinstance(found, bytes):
            return "error", b"ERR " + found
        answer = _answer(found)
        if isinstance(answer, Error):
            return "error", str(answer).encode()
        return "status" if isinstance(answer, Status) else "value", answer

    def _run_command(self, *words: bytes | float) -> tuple[Any, ...]:
        return self._call([word if isinstance(word, bytes) else number(word) for word in words])


def _sha1(text: bytes) -> bytes:
    return sha1(text, usedforsecurity=False).hexdigest().encode()


def _answer(found: Any) -> Any:
    """A value of Lua as an answer. A list ends before the first nil."""
    match found:
        case None | False:
            return None
        case True:
            return 1
        case int() | float():
            return int(found)
        case bytes():
            return found
    if (text := found[b"err"]) is not None:
        return Error(text.decode())
    if (text := found[b"ok"]) is not None:
        return Status(text)
    values: list[Any] = []
    for k in count(1):
        if (value := found[k]) is None:
            break
        values.append(_answer(value))
    return values
