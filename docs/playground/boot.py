"""Prepares Python in a browser for catgraph, and defines the function that the worker calls."""

import gc
import os
import sys

# A browser has no users.
os.geteuid = os.getuid = lambda: 1000
os.environ.update(HOME="/home/pyodide", COLUMNS="100", CATGRAPH_NO_CACHE="1")
os.makedirs("/home/pyodide", exist_ok=True)
os.makedirs("/program", exist_ok=True)
sys.path.insert(0, "/code")
gc.disable()

from catgraph.analyzer.cli.play import answers  # type: ignore[import-not-found]  # noqa: E402


def answer(request: str) -> str:
    """Return the answers to a request of the page."""
    gc.collect()
    text: str = answers.answer(request, "/program")
    return text
