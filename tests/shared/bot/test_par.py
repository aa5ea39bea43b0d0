import os
import subprocess
import sys

import pytest

from fortythieves.bot.par import par
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game


@pytest.mark.parametrize("seed", ["1", "2"])
def test_par_is_the_same_in_every_process(seed: str) -> None:
    script = (
        "from fortythieves.bot.par import par; from fortythieves.rules.deal import deck_of_number;"
        "from fortythieves.rules.games import game; print(par(game('forty-thieves'), deck_of_number(32_001)))"
    )
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=env, check=True)
    assert done.stdout.strip() == "(24, (24, 31, 22))"


def test_par_is_the_middle_of_three_bots_which_differ() -> None:
    middle, homes = par(game("forty-thieves"), deck_of_number(32_001))
    assert middle == sorted(homes)[1] and len({*homes}) == 3
