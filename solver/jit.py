"""How kernels are compiled, and where the compiled code is kept.

numba's on-disk cache looks only at the file of the cached function: after an edit in *another* file it would
go on running old code. So the cache folder is named after a hash of every source file of ours, and is chosen
here, before any kernel exists: every module with kernels imports ``kernel`` from this one.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import platformdirs

KEEP_FOLDERS = 4
KEEP_SECONDS = 7 * 24 * 3600


def source_key() -> str:
    """Hash of all our sources, numba's version and its bounds checks: equal keys mean equal compiled code."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK}".encode())
    for part in ("solver", "search", "benchmarks"):
        for path in sorted((root / part).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Folder that holds one cache folder a source key; ``NUMBA_CACHE_DIR`` overrides the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("smallest-mess")) / "kernels"


def _forget_old(root: Path) -> None:
    """Drop the caches of sources nobody has run for a week, beyond the few newest."""
    folders = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEEP_FOLDERS:]:
        if time.time() - folder.stat().st_mtime > KEEP_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _choose_folder() -> Path | None:
    folder = cache_root() / f"mess-{source_key()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old(folder.parent)
    except OSError:
        return None
    return folder


FOLDER = _choose_folder()
JIT = not numba.config.DISABLE_JIT
if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)


def is_compiled() -> bool:
    """Whether some kernel has been compiled and stored for these very sources."""
    return not JIT or (FOLDER is not None and any(FOLDER.rglob("*.nbc")))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile lazily, cached on disk, without the GIL; division by zero follows IEEE."""
    return numba.njit(cache=FOLDER is not None, nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
