"""Diagnostics of one text while it is typed: syntax, validation, and the rules for manifests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types

from analyzer.diagnostics import Finding, InputError
from analyzer.frontends.puppet.node.modules import is_misnamed
from analyzer.frontends.puppet.syntax.issues import LOCATION
from analyzer.linter.choice import Choice
from analyzer.linter.puppet.site_texts import UNSAVED
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import Rule
from analyzer.linter.run import run
from analyzer.linter.suppress import Ledger
from analyzer.lsp.checks.shown import SEVERITIES, SOURCE, diagnostics_of, hidden
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.session.lint.request import choice_of
from analyzer.session.settings import config_for


def syntax(snapshot: Snapshot, path: str) -> Iterator[types.Diagnostic]:
    """Yield Puppet's errors and warnings for a text, in its own words."""
    text = snapshot.text(path)
    for found in snapshot.checked(path).found:
        if found.code == LOCATION and is_misnamed(path):
            continue
        hint = f"\n{found.hint}" if found.hint else ""
        end = found.offset + max(found.length, 1)
        yield types.Diagnostic(
            range=snapshot.range(path, found.offset, max(end, found.offset)),
            message=hidden(found.message + hint, text),
            severity=SEVERITIES[found.severity],
            code=found.code,
            source=SOURCE,
            tags=[types.DiagnosticTag.Deprecated] if found.severity == "deprecation" else None,
        )


def rules_in(snapshot: Snapshot, path: str) -> Iterator[types.Diagnostic]:
    """Yield the findings of the rules for single manifests; none in a half-written one."""
    tree = snapshot.checked(path).tree
    if tree is None or not path.endswith(".pp"):
        return
    UNSAVED.set({one: document.text for one, document in snapshot.documents.items()})
    manifest = Manifest(path, snapshot.text(path), tree)
    choice, rules = rules_for(path)
    wanted = [rule for rule in rules if rule.on is Manifest]
    findings = [found.finding for found in run(wanted, [manifest])]
    yield from diagnostics_of(snapshot, path, accepted(choice, findings, snapshot))


def rules_for(path: str) -> tuple[Choice, list[Rule]]:
    """Return the rules for a file; an invalid `catgraph.toml` chooses none."""
    try:
        choice = choice_of(config_for(path))
        return choice, choice.rules(all_rules())
    except InputError:
        choice = Choice()
        return choice, choice.rules(all_rules())


def of_catalogs(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings without those of rules for single manifests."""
    codes = {rule.code for rule in all_rules().values() if rule.on is Manifest}
    return [finding for finding in findings if finding.code not in codes]


def accepted(choice: Choice, findings: list[Finding], snapshot: Snapshot) -> list[Finding]:
    """Return the findings that neither the configuration nor a comment suppresses."""
    ledger = Ledger(snapshot.text)
    return [one for one in choice.reported(findings) if not ledger.accepts(one)]


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return all diagnostics of one text that need no other file."""
    if not path.endswith((".pp", ".epp")):
        return []
    return [*syntax(snapshot, path), *rules_in(snapshot, path)]
