"""shared/vectors/fairness.json holds the judgement of the browser to that of the program."""

from tests.client.bot.make_fairness import FILE, text


def test_the_file_is_what_its_generator_writes() -> None:
    assert FILE.read_text("utf-8") == text(), "python -m tests.client.bot.make_fairness"
