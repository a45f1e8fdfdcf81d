"""Drawings made by Graphviz' `dot` program, with the graphviz package."""

from __future__ import annotations

import graphviz

# With more nodes, the layout takes seconds to minutes.
SLOW = 600


class NoGraphvizError(RuntimeError):
    """The program `dot` is not installed, or it failed."""


def render(dot: str, form: str) -> bytes:
    """Return a drawing of a DOT document as `svg` or `png`.

    Raises:
        NoGraphvizError: `dot` is not installed, or it does not accept the document.
    """
    try:
        data = graphviz.Source(dot, encoding="utf-8").pipe(format=form, quiet=True)
    except graphviz.ExecutableNotFound:
        raise NoGraphvizError(
            f"{form} needs Graphviz, whose program 'dot' is not installed "
            "(apt-get install graphviz, dnf install graphviz, brew install graphviz); "
            "html, mermaid, dot, json and graphml need no program"
        ) from None
    except graphviz.CalledProcessError as error:
        output = error.stderr
        text = (
            output.decode("utf-8", "replace") if isinstance(output, bytes) else str(output or error)
        )
        raise NoGraphvizError(f"Graphviz' dot failed: {text.strip()}") from None
    return bytes(data)
