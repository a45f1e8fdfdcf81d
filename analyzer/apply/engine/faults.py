"""Injected outcomes: failures, changes, files of outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.simulated_changes import made_up, own_outcome
from analyzer.apply.provider import PlannedChanges, ProviderError
from analyzer.model.resource import Resource

OK, CHANGE, FAIL, UNSUITABLE = "ok", "change", "fail", "unsuitable"
OF_APPLY = (OK, CHANGE, FAIL, UNSUITABLE)
OF_REFRESH = (OK, FAIL)

INJECTED_FAILURE = "injected failure"
INJECTED_REFRESH_FAILURE = "injected failure of the refresh"


def steered(resource: Resource, set_to: Outcome | None) -> Outcome:
    """Return the outcome of a resource: the injected one, else its own."""
    own = own_outcome(resource)
    if set_to is None:
        return own
    refresh = set_to.refresh or own.refresh
    if resource.type == "Exec" and set_to.apply == FAIL and not refresh:
        # A command that fails does so too when it is run to answer events.
        refresh = FAIL
    return Outcome(set_to.apply or own.apply, refresh)


def steer(plan: PlannedChanges, resource: Resource, outcome: Outcome) -> PlannedChanges:
    """Return the changes under an outcome; one is invented if there is none."""
    if outcome.apply == OK:
        return PlannedChanges()
    if outcome.apply in (CHANGE, FAIL) and not plan.changes:
        return PlannedChanges((made_up(resource),), plan.notes)
    return plan


def check_change(outcome: Outcome) -> None:
    """Raise the error of a change with an injected outcome."""
    if outcome.apply == FAIL:
        raise ProviderError(INJECTED_FAILURE)


def check_refresh(outcome: Outcome) -> None:
    """Raise the error of a refresh with an injected outcome."""
    if outcome.refresh == FAIL:
        raise ProviderError(INJECTED_REFRESH_FAILURE)


def read_outcomes(document: object) -> dict[str, Outcome]:
    """Read `{"Sim[a]": {"apply": "ok|change|fail", "refresh": "ok|fail"}}`.

    Raises:
        ValueError: it is something else; the message says what.
    """
    if not isinstance(document, Mapping):
        raise ValueError("is not an object of references")
    return {str(ref): read_outcome(str(ref), entry) for ref, entry in document.items()}


def read_outcome(ref: str, entry: object) -> Outcome:
    """Read one entry."""
    if not isinstance(entry, Mapping):
        raise ValueError(f"{ref}: expected an object with 'apply' and 'refresh'")
    for key, value in entry.items():
        allowed = {"apply": OF_APPLY, "refresh": OF_REFRESH}.get(key)
        if allowed is None:
            raise ValueError(f"{ref}: unknown key '{key}'; the keys are 'apply' and 'refresh'")
        if value not in allowed:
            raise ValueError(f"{ref}: '{key}' must be one of {', '.join(allowed)}, not {value!r}")
    return Outcome(entry.get("apply", ""), entry.get("refresh", ""))


def told_failures(words: Iterable[str]) -> dict[str, Outcome]:
    """Read the words of --fail: `Package[x]`, `Exec[y]=refresh`.

    Raises:
        ValueError: what follows the reference is neither apply nor refresh.
    """
    found: dict[str, Outcome] = {}
    for word in words:
        ref, mark, what = word.rpartition("]=")
        ref = f"{ref}]" if mark else word
        what = what if mark else "apply"
        if what not in ("apply", "refresh"):
            raise ValueError(f"{ref}: write REF or REF=refresh, not '{what}'")
        before = found.get(ref, Outcome())
        found[ref] = merged(before, Outcome(FAIL) if what == "apply" else Outcome("", FAIL))
    return found


def merged(one: Outcome, other: Outcome) -> Outcome:
    """Combine two outcomes; the later one overrides."""
    return Outcome(other.apply or one.apply, other.refresh or one.refresh)
