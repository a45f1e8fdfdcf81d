"""Runs the cases of one test function as one item: an item costs pytest-xdist milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import ClassVar, cast

import pytest

from tests.process import as_new

SIZE = 25
# Fixtures that pytest-asyncio gives to every test.
FOR_ALL = {"event_loop_policy"}
# A case of a batch cannot be skipped alone: use a mark.
FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


class Batch(pytest.Item):
    """Runs its cases one after the other, and shows each that fails as pytest shows it alone."""

    cases: list[pytest.Function]
    funcargs: ClassVar[dict[str, object]] = {}  # pytest-lsp wants one of every item

    def runtest(self) -> None:
        """Run all cases, whatever fails."""
        failures = [failure for case in self.cases if (failure := failure_of(case))]
        if failures:
            pytest.fail("\n\n".join(failures), pytrace=False)

    def reportinfo(self) -> tuple[str, int | None, str]:
        """Return the place of the test function, and a name for the cases."""
        path, line, _ = self.cases[0].reportinfo()
        return str(path), line, self.name


def failure_of(case: pytest.Function) -> str | None:
    """Run a case; return its name and the failure, if it fails."""
    try:
        case.obj(**case.callspec.params)
    except FAILURES as error:
        info = pytest.ExceptionInfo.from_exception(error)
        return f"{case.nodeid}\n{case.repr_failure(info)}"
    finally:
        as_new()
    return None


def batched(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the items in their order, with batches instead of cases that need no fixture."""
    for function, group in groupby(items, _function_of):
        if function is None:
            yield from group
            continue
        first = 1
        while cases := cast(list[pytest.Function], list(islice(group, SIZE))):
            parent = cases[0].parent
            assert parent is not None
            name = f"{cases[0].originalname}[cases {first} to {first + len(cases) - 1}]"
            batch: Batch = Batch.from_parent(parent, name=name)
            batch.cases = cases
            first += SIZE
            yield batch


def _function_of(item: pytest.Item) -> object:
    """Return the function of a case that needs nothing but its parameters, else None."""
    if type(item) is not pytest.Function or not hasattr(item, "callspec"):
        return None
    names = set(FOR_ALL)
    for mark in item.iter_markers():
        if mark.name not in ("parametrize", "slow") or mark.kwargs.get("indirect"):
            return None
        if mark.name == "parametrize":
            names |= _names(*mark.args)
    return (item.parent, item.originalname) if names.issuperset(item.fixturenames) else None


def _names(names: str | Iterable[str], *_: object) -> set[str]:
    return {n.strip() for n in names.split(",")} if isinstance(names, str) else set(names)
