"""The contributors of values of Hiera: keys, levels and files, from the steps of a lookup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.frontends.puppet.hiera.explain import Outcome, Step
from analyzer.frontends.puppet.origins.contributors import Contributor


@dataclass(frozen=True, slots=True)
class DataPlace:
    """The place of a value of Hiera: a key, a level of a layer, and a file if there is one."""

    key: str
    level: str
    layer: str
    file: str | None
    known: bool = True


def data_contributors(
    steps: Sequence[Step], read: tuple[Contributor, ...], around: Contributor | None
) -> tuple[Contributor, ...]:
    """Return the contributors of a lookup; `read` are those of the variables that it read."""
    had = (Outcome.FOUND, Outcome.UNKNOWN)
    return tuple(
        Contributor(
            "data",
            step.key,
            read,
            around,
            value=DataPlace(
                step.key,
                step.entry,
                step.layer,
                step.location,
                step.outcome is Outcome.FOUND,
            ),
        )
        for step in steps
        if step.outcome in had
    )
