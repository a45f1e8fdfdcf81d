"""Diagnostics: findings about the input, their severity, and errors that stop the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import environ
from typing import Literal

from analyzer.escape import shown
from analyzer.model.completeness import Gap
from analyzer.source import Span, by_fields

Severity = Literal["error", "warning", "note"]

# How much of a compile's errors is shown.
MOST_ERRORS, MOST_NODES = 29, 5

RANK: dict[Severity, int] = {"error": 0, "warning": 1, "note": 2}


class InputError(Exception):
    """Input that cannot be read; printed as `FILE:LINE:COL: error: what (code)`."""

    exit_code = 2

    def __init__(
        self, message: str, span: Span, code: str = "unreadable", snippet: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.code = code
        self.snippet = snippet

    def __reduce__(self) -> tuple[object, ...]:
        # Of itself an exception goes to another process with its message only.
        made_of = self.message, self.span, self.code, self.snippet
        return type(self), made_of, vars(self)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the error as findings, one for each thing that is wrong."""
        return (Finding(self.code, "error", self.message, self.span),)

    def __str__(self) -> str:
        head = f"{shown(str(self.span))}: error: {shown(self.message)} ({self.code})"
        return f"{head}\n{self.snippet}" if self.snippet else head


class CompileError(InputError):
    """A manifest that cannot be compiled.

    `others` are further errors, the first is the one that Puppet stops at. `nodes` says for which
    nodes and facts it cannot, where there are several. `refusal`: the program itself refuses, by
    `fail`. `node` is the name of the node, if one was compiled.
    """

    exit_code = 3

    def __init__(
        self, message: str, span: Span, code: str = "cannot-compile", snippet: str = ""
    ) -> None:
        super().__init__(message, span, code, snippet)
        self.others: tuple[CompileError, ...] = ()
        self.nodes: list[str] = []
        self.refusal = False
        self.node = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the errors as findings, in the order in which Puppet meets them."""
        rest = (finding for other in self.others for finding in other.findings)
        return (*super().findings, *rest)

    def __str__(self) -> str:
        rows = [super().__str__()]
        if self.nodes:
            more = f" and {len(self.nodes) - MOST_NODES} more" * (len(self.nodes) > MOST_NODES)
            rows.append(f"  for {shown('; '.join(self.nodes[:MOST_NODES]))}{more}")
        rows += map(str, self.others[:MOST_ERRORS])
        if len(self.others) > MOST_ERRORS:
            rows.append(f"... and {len(self.others) - MOST_ERRORS} more errors")
        return "\n".join(rows)


# The code of an error that is our own.
INTERNAL = "internal-error"
# The variable of the environment that has the traces of our own errors printed.
DEBUG = "CATGRAPH_DEBUG"
HOW_TO_SEE = f"please report this bug, with the traceback that {DEBUG}=1 in the environment prints"


# What is no fault of one class or rule; who began the work tells it.
PASSED_ON = (RecursionError, MemoryError, SystemError, InputError)


def words_of(error: Exception) -> str:
    """Describe an internal error; its trace is printed if the environment asks for it."""
    if environ.get(DEBUG):
        from traceback import print_exception

        print_exception(error)
    return f"internal error: {type(error).__name__}: {error}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a finding's story: a place, what happens there, and to which resources."""

    text: str
    span: Span | None = None
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a file's text: `text` replaces the characters from `start` up to `end`."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that remove the finding without a new cycle, as a compile showed.

    `gained` and `lost` are the first 20 orderings that it adds or removes, of `gained_count` and
    `lost_count`: those that no other ordering implies; a container counts as a whole. An `unsafe`
    fix removes an ordering or other code, or may be wrong with other facts or parameters, as
    `doubt` explains. The user has to ask for it.
    """

    what: str
    edits: tuple[Edit, ...]
    gained: tuple[tuple[str, str], ...] = ()
    lost: tuple[tuple[str, str], ...] = ()
    gained_count: int = 0
    lost_count: int = 0
    unsafe: bool = False
    doubt: str = ""

    @property
    def word(self) -> str:
        """Return the description of the fix."""
        return "unsafe fix" if self.unsafe else "fix"

    @property
    def effect(self) -> str:
        """Return the orderings lost and gained, in words."""
        if not self.gained_count and not self.lost_count:
            return "ordering: unchanged"
        noun = "pair" if self.gained_count == 1 else "pairs"
        return f"ordering: {self.gained_count:,} {noun} added, {self.lost_count:,} lost"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in the input.

    `code` is that of the rule, `span` the place (None: unknown), `steps` the path that leads to it
    in order, `input` the user's name for the catalog or file, `notes` further lines. `refs` are its
    resources, which identify it when lines move. `fixes` are verified changes that remove it.
    `path` is the input's file, `environment` the catalog's: paths are shown relative to its folder.
    `also` are the findings of the same cause: the same statements about other resources, or in
    other catalogs. `condition` are the parts of that under which it holds, each an input
    (`facts.os.family`), an operator (`is`) and a value; none where it was found without one.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    steps: tuple[Step, ...] = ()
    notes: tuple[str, ...] = ()
    input: str = ""
    refs: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    path: str = ""
    environment: str = ""
    also: tuple[Finding, ...] = ()
    condition: tuple[tuple[str, str, object], ...] = ()

    __reduce__ = by_fields

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the inputs that the cause was found in, each once."""
        return tuple(dict.fromkeys([self.input, *(one.input for one in self.also)]))

    def __repr__(self) -> str:
        place = f" at {self.span}" if self.span else ""
        return f"<{self.code} {self.severity}{place}: {self.message}>"


@dataclass(frozen=True, slots=True)
class Issue:
    """A row of the issue table: what a code means, for people and for SARIF's rule list."""

    code: str
    name: str
    severity: Severity
    summary: str
    help: str = field(default="")


@dataclass(frozen=True, slots=True)
class Results:
    """The findings in several inputs, for the formats that other programs read.

    `issues` is what was looked for, `inputs` the files that were read, `unreadable` those that
    could not be, each with the reason; `gaps` what is not known of the catalogs. `coverage` are
    numbers of nodes and of compiled code, for JSON.
    """

    findings: tuple[Finding, ...]
    issues: tuple[Issue, ...]
    inputs: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]
    summary: str
    gaps: tuple[Gap, ...] = ()
    coverage: Mapping[str, object] = field(default_factory=dict)


ISSUES: dict[str, Issue] = {
    issue.code: issue
    for issue in (
        Issue(
            "CG201",
            "missing-relationship-target",
            "error",
            "A relationship names a resource that is not in the catalog",
            "Puppet stops before it applies anything: 'Could not find dependency'. Declare the "
            "resource, realize it if it is virtual, or correct the reference.",
        ),
        Issue(
            "CG301",
            "dependency-cycle",
            "error",
            "Resources depend on each other in a cycle",
            "Puppet applies nothing when the relationship graph has a cycle. Remove the statements "
            "named in the finding.",
        ),
        Issue(
            "CG511",
            "dependency-loop",
            "error",
            "Promises wait for each other in a cycle through depends_on",
            "The agent skips all of them in every pass. Remove one of the named handles.",
        ),
    )
}
