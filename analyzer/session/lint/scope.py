"""Decides which findings are about the inputs that the user named."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from analyzer.diagnostics import Finding
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Kind
from analyzer.linter.run import Found
from analyzer.session.lint.inputs import is_document

# Classes of a module that are compiled to test a fix.
CLASSES = 3


@dataclass(frozen=True, slots=True)
class InputScope:
    """The inputs that the user named.

    `modules` are the folders of modules that are compiled by themselves. `vendored` returns whether
    a file is in a module of others, `names` whether the user named it.
    """

    modules: Container[str]
    vendored: Callable[[str], bool]
    names: Callable[[str], bool]

    def has(self, finding: Finding, kind: Kind) -> bool:
        """Return whether a finding of a rule of some kind is about the user's inputs.

        Findings in others' modules do not count, unless they prevent a run of the site.
        """
        error = finding.severity == "error"
        if finding.span is None or is_document(finding.path) or finding.code == "CG205":
            return True
        files = [span.file for span in (finding.span, *(s.span for s in finding.steps)) if span]
        if kind in ("query", "contract"):
            return self.has_own(files, kind)
        if error and finding.path not in self.modules:
            return True
        if not error and self.vendored(files[0]):
            return False
        return any(map(self.names, files if error else files[:1]))

    def has_own(self, files: list[str], kind: Kind) -> bool:
        """Return whether a finding of the project's own rules is about the user's inputs.

        Others' modules have their own rules; but a contract is about all edges between classes.
        """
        if not files[0].endswith(".pp"):
            # The finding is about an entry of the configuration.
            return True
        if kind == "query" and self.vendored(files[0]):
            return False
        return any(map(self.names, files))


def affected_by(
    found: Found,
    files: set[str],
    catalogs: Sequence[Compiled | CheckedCatalog],
    name_of: Callable[[str], str],
) -> list[Compiled | CheckedCatalog]:
    """Return the catalogs that a change of files may change, as far as a finding needs them.

    A module has many classes, which are mostly independent: of these, the result has the class
    that the finding is about, and a few more.
    """
    using = [one for one in catalogs if files & set(map(name_of, one.files))]
    own = [one for one in using if one.name == found.finding.input or not one.partial]
    if found.rule.on is Compiled and not own:
        return []
    known = set(map(id, own))
    others = [one for one in using if id(one) not in known]
    chosen = known | set(map(id, others[:CLASSES]))
    return [one for one in using if id(one) in chosen]
