"""The files of modules that functions read, such as templates."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.node.ignored import is_left_out
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.completeness import hint_in
from analyzer.model.values import Unknown
from analyzer.reach import Outside, may_read
from analyzer.reading import read_bytes

LEFT_OUT = "it is not in the repository, which leaves it out by .gitignore"


class OutOfReach(Exception):
    """A call reads a file that it may not read: the result is an Unknown, for Ruby too."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


class ModuleFiles:
    """The files of the modules of an environment; `module` returns the folder of a module.

    `overlay` are texts of files that count instead of what is on disk.
    """

    def __init__(
        self,
        machine: Machine,
        module: Callable[[str], str | None],
        overlay: Mapping[str, str],
        node: Node,
        unit: Unit,
    ) -> None:
        self.machine = machine
        self.module = module
        self.overlay = overlay
        self.node = node
        self.unit = unit

    def find(self, path: str, folder: str = "files") -> str | None:
        """Return where `module/path`, or an absolute path, is.

        Raises:
            OutOfReach: the file may not be read, nor its presence be asked for; or the repository
                leaves it out.
        """
        found = path = str(path)
        base = None
        if not os.path.isabs(path):
            module, _, rest = path.partition("/")
            base = self.module(module)
            if base is None:
                return None
            found = os.path.join(base, folder, rest)
        if may_read(found):
            if os.path.exists(found):
                return found
            # A module that is left out as a whole was installed here, with all its files.
            if not is_left_out(found) or (base is not None and is_left_out(base)):
                return None
            problem = LEFT_OUT
        else:
            problem = str(Outside(found).strerror)
        reason, hint = hint_in(problem)
        self.machine.leave_out("file", path, reason, self.unit, self.node, hint=hint)
        raise OutOfReach(Unknown(f"the contents of the file {path}: {problem}"))

    def read(self, path: str) -> bytes:
        """Return the content of a file.

        Raises:
            EvaluationError: it cannot be read.
        """
        if self.machine.trace is not None:
            self.machine.trace.read_file(path)
        if path in self.overlay:
            return self.overlay[path].encode()
        try:
            return read_bytes(path)
        except OSError as error:
            raise EvaluationError(f"{error.strerror} @ rb_sysopen - {path}") from None
