"""The README's promises that can be checked without installing anything."""

import re
from pathlib import Path

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
