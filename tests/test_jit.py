"""Compilation: lazy, cached under a name that changes with the sources."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from mess.solver import jit

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("solver", "search", "benchmarks")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small copy of the sources, for which keys are made instead of the real ones."""
    for part in PARTS:
        (tmp_path / part / "deep").mkdir(parents=True)
        (tmp_path / part / "a.py").write_text(f"part = '{part}'\n")
        (tmp_path / part / "deep" / "b.py").write_text("x = 1\n")
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "solver" / "jit.py"))
    return tmp_path


@pytest.mark.parametrize("changed", [f"{part}/{name}" for part in PARTS for name in ("a.py", "deep/b.py")])
def test_key_changes_with_every_source_file(tree, changed):
    before = jit.source_key()
    assert jit.source_key() == before
    (tree / changed).write_text("x = 2\n")
    assert jit.source_key() != before


def test_key_changes_when_a_file_comes_goes_or_moves(tree):
    keys = [jit.source_key()]
    new = tree / "search" / "new.py"
    new.write_text("")
    keys.append(jit.source_key())
    new.rename(tree / "search" / "renamed.py")
    keys.append(jit.source_key())
    (tree / "search" / "renamed.py").unlink()
    assert jit.source_key() == keys[0]
    assert len(set(keys)) == 3


def test_key_ignores_what_is_not_source(tree):
    before = jit.source_key()
    (tree / "solver" / "notes.txt").write_text("no code")
    assert jit.source_key() == before


def test_key_knows_numba_and_its_bounds_checks(tree, monkeypatch):
    before = jit.source_key()
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
    checked = jit.source_key()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert len({before, checked, jit.source_key()}) == 3


def test_folder_is_named_after_the_key(tree, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tree / "cache"))
    folder = jit._choose_folder()
    assert folder == tree / "cache" / f"mess-{jit.source_key()}"
    assert folder.is_dir()


def test_a_folder_that_cannot_be_made_means_no_cache(tree, monkeypatch):
    (tree / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tree / "file" / "below"))
    assert jit._choose_folder() is None


def test_old_folders_go_and_the_newest_stay(tmp_path):
    old = jit.time.time() - jit.KEEP_SECONDS - 60
    for age in range(jit.KEEP_FOLDERS + 3):
        (tmp_path / f"mess-{age}").mkdir()
        os.utime(tmp_path / f"mess-{age}", (old - age, old - age))
    jit._forget_old(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"mess-{age}" for age in range(jit.KEEP_FOLDERS)]


def test_young_folders_stay(tmp_path):
    for age in range(jit.KEEP_FOLDERS + 3):
        (tmp_path / f"mess-{age}").mkdir()
    jit._forget_old(tmp_path)
    assert len(list(tmp_path.iterdir())) == jit.KEEP_FOLDERS + 3


LOOK = """
import gc, importlib, json, sys
import numba.core.event as event
from numba.core.dispatcher import Dispatcher

listener = event.RecordingListener()
event.register("numba:compile", listener)
modules = json.loads(sys.argv[1])
for name in modules:
    importlib.import_module(name)
from mess.solver import jit
ours = [d for d in gc.get_objects() if isinstance(d, Dispatcher) and d.py_func.__module__.startswith("mess.")]
print(json.dumps({
    "kernels": len(ours),
    "compiled": sorted({f"{d.py_func.__module__}.{d.py_func.__name__}" for d in ours if d.signatures}),
    "events": len(listener.buffer),
    "stored": jit.is_compiled(),
    "folder": str(jit.FOLDER),
}))
"""


def look(modules, **environment):
    command = [sys.executable, "-c", LOOK, json.dumps(modules)]
    run = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(run.stdout)


def modules() -> list[str]:
    names = []
    for path in (path for part in PARTS for path in (ROOT / part).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] != "__main__":
            names.append(".".join(("mess", *parts)).removesuffix(".__init__"))
    return sorted(names)


def test_no_import_compiles_anything(tmp_path):
    """Neither lazily at import nor by an explicit signature: no kernel has a compiled version, none is stored."""
    seen = look(modules(), NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")
    assert seen["kernels"] > 50
    assert seen["compiled"] == []
    assert seen["events"] == 0
    assert seen["stored"] is False
    assert Path(seen["folder"]).parent == tmp_path


def test_the_cache_is_used_from_a_second_process(tmp_path):
    """A second process loads what the first one compiled."""
    code = """
import numba.core.event as event
listener = event.RecordingListener()
event.register("numba:compile", listener)
import numpy as np
from mess.solver import bits, jit
assert bits.popcount(np.uint64(7)) == 3
print(len(listener.buffer), jit.is_compiled())
"""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    outputs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert outputs[0].split()[0] != "0"
    assert outputs[1] == "0 True\n"


@pytest.mark.parametrize("part", PARTS)
def test_kernels_are_made_by_kernel_alone_and_without_signatures(part):
    for path in sorted((ROOT / part).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                assert not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "kernel"), where
            if isinstance(node, ast.Attribute | ast.Name) and path != ROOT / "solver" / "jit.py":
                assert ast.unparse(node) not in {"numba.njit", "numba.jit", "njit"}, where
