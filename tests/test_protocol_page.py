"""The page of the protocol tells what the types that read and write messages are; ``UPDATE_HELP=1`` writes it anew."""

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from mess.search.serving import messages
from mess.solver.game import deal

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "search" / "serving" / "PROTOCOL.md"
NAMES = {"integer": "whole number", "array": "list", "null": "null"}


def type_of(part: dict[str, Any]) -> str:
    if "enum" in part:
        return " or ".join(f"`{json.dumps(value)}`" for value in part["enum"])
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(type_of(one) for one in part["anyOf"]))
    if "$ref" in part:
        return part["$ref"].rpartition("/")[2]
    name = NAMES.get(part.get("type", "any"), part.get("type", "any"))
    if part.get("type") == "array":
        return f"list of {type_of(part.get('items', {}))}"
    low, high, above = part.get("minimum"), part.get("maximum"), part.get("exclusiveMinimum")
    if above is not None:
        return f"{name} > {above:g}"
    if high is not None and abs(high) < 2**53:
        return f"{name} {low} to {high}"
    return f"{name} ≥ {low}" if low is not None and abs(low) < 2**53 else name


def rows(part: dict[str, Any]) -> list[str]:
    lines = ["| field | type | | meaning |", "| --- | --- | --- | --- |"]
    required = set(part.get("required", ()))
    for name, told in sorted(part["properties"].items(), key=lambda item: item[0] not in ("id", "type")):
        state = "required" if name in required else "optional"
        if told.get("default") is not None:
            state = f"default `{json.dumps(told['default'])}`"
        lines.append(f"| `{name}` | {type_of(told)} | {state} | {told.get('description', '').replace('``', '`')} |")
    return lines


def fields() -> str:
    components = messages.schema()["$defs"]
    text = []
    for title, kinds in (("Requests", messages.REQUESTS), ("Answers", messages.ANSWERS)):
        text.append(f"## {title}")
        for kind in kinds:
            part = components[kind.__name__]
            tag = kind.__struct_config__.tag
            text += [f"### {f'`{tag}`' if tag else 'An error'}", part["description"], "\n".join(rows(part))]
    text.append("## Parts of answers")
    for name in ("Told", "GameInfo"):
        text += [f"### {name}", components[name]["description"], "\n".join(rows(components[name]))]
    return "\n\n".join(text)


def examples() -> str:
    rules = {"flaming": {"players": 2}, "odin": {"players": 3}, "pylos": {}, "meeples": {}}
    seen = [deal(game, 7, **given).observe(0).to_dict() for game, given in rules.items()]
    return "\n".join(["```json", *(json.dumps(one) for one in seen), "```"])


def test_the_page_tells_every_field():
    page = made = PAGE.read_text(encoding="utf-8")
    for name, text in (("examples", examples()), ("fields", fields())):
        block = f"<!-- {name} -->\n\n{text}\n\n<!-- /{name} -->"
        made = re.sub(f"(?s)<!-- {name} -->.*<!-- /{name} -->", lambda found, block=block: block, made)
    if os.environ.get("UPDATE_HELP"):
        PAGE.write_text(made, encoding="utf-8")
    assert page == made or os.environ.get("UPDATE_HELP")


def test_the_page_comes_with_the_package():
    assert files("mess.search.serving").joinpath("PROTOCOL.md").is_file()


def test_every_field_of_a_request_is_explained_or_plain():
    for kind in messages.REQUESTS:
        properties = messages.schema()["$defs"][kind.__name__]["properties"]
        assert all(
            "description" in told
            for name, told in properties.items()
            if name not in ("type", "game_id", "seed", "move")
        )


def test_the_schema_is_printed_without_any_kernel():
    code = "import sys; from mess.search.cli import run; sys.exit(run(['serve', '--schema']) or 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(messages.schema()))
