"""The grammars of the languages catgraph reads, as package data."""

import os
from typing import Any


def data(name: str) -> bytes:
    """Return the content of a file of this package.

    Raises:
        OSError: there is no such file.
    """
    # What importlib.resources does in the end; importing that takes longer than a whole parse.
    loader: Any = __spec__.loader if __spec__ else None
    content: bytes = loader.get_data(os.path.join(os.path.dirname(__file__), name))
    return content


def read(name: str) -> str:
    """Return the text of the grammar file ``name``, for example ``"puppet.lark"``.

    Raises FileNotFoundError if there is no such grammar.
    """
    return data(name).decode()
