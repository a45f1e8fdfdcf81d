"""The pytest plugin: `catgraph_compile` compiles a role, and the result has the assertions."""

from __future__ import annotations

import os
from typing import Any, Protocol

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.testing.checks import CheckedCatalog


class Compile(Protocol):
    """The value of the fixture `catgraph_compile`."""

    def __call__(
        self,
        subject: str | None = None,
        *,
        params: Mapping[str, object] | None = None,
        pre_condition: str = "",
        post_condition: str = "",
        **options: object,
    ) -> CheckedCatalog:
        """Compile a class, a define or a node; `options` are those of `analyzer.compile`."""


@pytest.fixture
def catgraph_defaults() -> dict[str, object]:
    """Override this fixture to give every compile of a module or folder the same options."""
    return {}


@pytest.fixture
def catgraph_compile(catgraph_defaults: dict[str, Any], pytestconfig: pytest.Config) -> Compile:
    """Compile a class (`role::web`), a define (`Role::Site[example]`) or a node (`node=`).

    The path is the root folder of the tests, unless `path` or `code` is given. `params` are the
    parameters of the class or define; `pre_condition` and `post_condition` are code before and
    after its declaration. The other options are those of `analyzer.compile`.
    """

    def compile_subject(
        subject: str | None = None,
        *,
        params: Mapping[str, Any] | None = None,
        pre_condition: str = "",
        post_condition: str = "",
        **options: object,
    ) -> CheckedCatalog:
        __tracebackhide__ = True
        from analyzer.diagnostics import InputError
        from analyzer.library import compile
        from analyzer.testing.checks import CheckedCatalog
        from analyzer.testing.manifest import declaration

        chosen = {**catgraph_defaults, **options}
        parts = [pre_condition, chosen.pop("code", None) or ""]
        parts += [declaration(subject, params or {})] if subject else []
        code = "\n".join(part for part in [*parts, post_condition] if part)
        if params and not subject:
            raise ValueError("params needs the class or define that takes them")
        if "path" not in chosen and (subject or not code):
            chosen["path"] = os.path.relpath(pytestconfig.rootpath)
        try:
            catalog = compile(code=code or None, **chosen)
        except InputError as error:
            # The frames inside of catgraph say nothing about the code under test.
            raise error.with_traceback(None) from None
        return CheckedCatalog(catalog)

    return compile_subject
