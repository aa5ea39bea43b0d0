"""RECORD.md names the codes, checks and results of the program, and the vectors have all of them."""

import json
import re
from typing import Any, get_args

from fortythieves.errors import CODES
from fortythieves.record.proof import CHECKS
from fortythieves.record.reasons import REASONS, sentence
from fortythieves.rules.race_rules import Ending
from tests.tools import docs

TEXT = (docs.ROOT / "shared" / "RECORD.md").read_text("utf-8")
VECTORS: dict[str, Any] = json.loads((docs.VECTORS / "records.json").read_text("utf-8"))


def first_cells(section: str) -> list[str]:
    part = re.split(r"\n#+ ", TEXT.split(f"# {section}\n", 1)[1])[0]
    return re.findall(r"^`([\w-]+)` \|", part, re.MULTILINE)


def test_every_end_of_a_race_has_a_row() -> None:
    assert set(get_args(Ending)) <= set(first_cells("Results"))


def test_every_code_of_a_refused_file_has_a_row() -> None:
    assert set(first_cells("The file")) == {code for code in CODES if code.endswith("-record")}


def test_the_checks_have_the_order_of_the_program() -> None:
    assert re.findall(r"^`(\w+)`(?:, only for a [\w ]+)?:", TEXT, re.MULTILINE) == list(CHECKS)


def test_the_vectors_have_every_code() -> None:
    checks = [check for one in VECTORS["records"] for check in one["checks"]]
    checks += [check for one in [*VECTORS["broken"], *VECTORS["chains"]] for check in one["fail"]]
    checks += [{"check": "remarks", **remark} for one in VECTORS["records"] for remark in one["remarks"]]
    for one in checks:
        assert sentence(one["check"], one["code"], one.get("params", {}))
    found = {f"{one['check']}.{one['code']}" for one in checks}
    assert REASONS.keys() - found == {"address.other-race", "signature.signed"}
