"""The folders: what is packaged, and which way imports point."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("solver", "search", "benchmarks")
ABOVE = {"solver": {"search", "benchmarks"}, "search": {"benchmarks"}, "benchmarks": set()}
SOURCES = sorted(path for part in (*PARTS, "tests") for path in (ROOT / part).rglob("*.py"))
OURS = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "tests"]


def each(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", [pytest.param(p, id=p.relative_to(ROOT).as_posix()) for p in paths])


def imported(path: Path) -> set[str]:
    """Absolute dotted names of the modules that a file imports; relative ones resolved from the root."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(ROOT).parent.parts
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            names |= {module} if node.module else {f"{base}.{alias.name}".lstrip(".") for alias in node.names}
    return names


def test_every_package_is_listed():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {path.parent.relative_to(ROOT).parts for part in PARTS for path in (ROOT / part).rglob("*.py")}
    assert sorted(config["packages"]) == sorted(".".join(("mess", *folder)) for folder in folders)
    assert config["package-dir"] == {f"mess.{part}": part for part in PARTS}
    assert all((ROOT.joinpath(*folder) / "__init__.py").exists() for folder in folders)


@each(SOURCES)
def test_no_import_makes_second_classes(path):
    """From the root a bare ``import solver`` would work, and its classes would not be those of ``mess.solver``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & set(PARTS), node.lineno
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert (node.module or "").split(".")[0] not in PARTS, node.lineno


@each(OURS)
def test_inside_the_folders_imports_are_relative_and_point_down(path):
    part = path.relative_to(ROOT).parts[0]
    tops = {name.split(".")[0] for name in imported(path)}
    assert "mess" not in tops
    assert "tests" not in tops
    assert not tops & ABOVE[part]
    assert "" not in tops, "an import above the root"


def test_the_reference_shares_nothing_with_the_product():
    for path in (ROOT / "tests" / "reference").rglob("*.py"):
        assert not {name.split(".")[0] for name in imported(path)} & {"mess", "numba", "numpy", *PARTS}
