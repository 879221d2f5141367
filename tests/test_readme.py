"""The README's promises that can be checked without installing anything."""

import re
from pathlib import Path

from mess.benchmarks.match import match
from mess.search.bots.find import find
from mess.search.bots.taste import FEATURES
from mess_command import mess

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_python_example_runs_as_printed(capsys):
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code
    names: dict = {}
    exec(compile(code.group(1), "README.md", "exec"), names)
    assert '"seat": 0' in capsys.readouterr().out
    assert names["position"].to_act == 1
    assert len(names["result"].blocks) == 2


def test_the_example_is_five_lines_long():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code
    assert sum(bool(line) and not line.startswith("from") for line in code.group(1).splitlines()) == 5


def test_every_file_and_folder_it_names_exists():
    root = Path(__file__).parent.parent
    for name in re.findall(r"\]\(([^)#]+)\)", README):
        assert (root / name).exists(), name


def blocks(kind, holds):
    return next(text for text in re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL) if holds in text)


def test_the_strategy_is_clean_and_plays(tmp_path, monkeypatch):
    code = blocks("python", "def choose")
    assert len([line for line in code.splitlines() if line]) <= 10
    (tmp_path / "my_bot.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    result = mess("check", "my_bot.py")
    assert result.code == 0, result.out
    played = match("flaming", ["my_bot.py", "random"], deals=2, workers=1, progress=False)
    assert played.forfeits() == []


def test_the_bot_file_is_one(tmp_path):
    text = blocks("toml", "[taste]")
    (tmp_path / "ember.toml").write_text(text)
    assert find(str(tmp_path / "ember.toml"), "flaming").name == "Ember"
    assert all(f"`{name}`" in README for name in FEATURES)
