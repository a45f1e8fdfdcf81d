"""Starts the terminal screens for the command `tui`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The exit code of what cannot be compiled.
NOT_COMPILED = 3


def start(path: str | None, options: Mapping[str, Any]) -> int:
    """Run the application until it is left; return the exit code.

    `options` are those of the command, by name.
    """
    import gc

    # The command line keeps the collector off, as all its commands are short.
    gc.enable()
    from tui.app import CatgraphApp
    from tui.project.opening import Request

    app = CatgraphApp(Request(path, options) if path else None, {**options, "here": True})
    app.run()
    return app.return_code or (NOT_COMPILED if app.refused else 0)
