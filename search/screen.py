"""The terminal: consoles that suit what they write to."""

from typing import Any

from rich.console import Console

DIM = "dim"
"""Style of what matters less."""


class _Screen(Console):
    """A console that leaves it to the command line what happens when nobody reads on."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(file: Any, plain: bool = False) -> Console:
    """A console on ``file``; without colours, and wide, where ``file`` is no terminal or that is wanted."""
    made = _Screen(file=file, highlight=False, markup=False, emoji=False, no_color=plain or None)
    if made.is_terminal and not is_plain(made):
        return made
    width = made.width if made.is_terminal else 160
    return _Screen(file=file, highlight=False, markup=False, emoji=False, no_color=True, color_system=None, width=width)


def is_plain(screen: Console) -> bool:
    """Whether to draw without colours on this console."""
    return screen.no_color or screen.color_system is None
