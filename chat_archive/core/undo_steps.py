"""What can be taken back, as long as the program runs: two stacks of steps.

A step knows how to take its operation back and gives the step that does it again, so undo and redo are one thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from chat_archive.core.entities import OperationResult
from chat_archive.core.progress import Progress

_KEPT = 100


@dataclass(frozen=True, slots=True)
class UndoStep:
    """One operation on `count` things. `run` takes it back and returns the step that brings it about again."""

    verb: str
    count: int
    run: Callable[[Progress], tuple[OperationResult, UndoStep | None]]


class UndoStacks:
    """Of one opened root. Used under the workspace's change lock."""

    def __init__(self) -> None:
        self.undo: list[UndoStep] = []
        self.redo: list[UndoStep] = []

    def did(self, step: UndoStep | None) -> None:
        """A person did something new: it can be undone, and what was undone before can no longer be redone."""
        self.redo.clear()
        if step is not None:
            self.undo.append(step)
            del self.undo[:-_KEPT]

    def step_back(self, progress: Progress) -> OperationResult:
        # its own Undo would take back the step before it, not this one
        return replace(_move(self.undo, self.redo, progress), undoable=False)

    def step_again(self, progress: Progress) -> OperationResult:
        return _move(self.redo, self.undo, progress)


def _move(source: list[UndoStep], target: list[UndoStep], progress: Progress) -> OperationResult:
    """Run the last step of `source`. It stays there when it raises, so that it can be tried again."""
    step = source[-1]
    result, opposite = step.run(progress)
    source.pop()
    if opposite is not None:
        target.append(replace(opposite, verb=step.verb))
    return result
