"""The grammars of the languages catgraph reads, as package data."""


def read(name: str) -> str:
    """Return the text of the grammar file ``name``, for example ``"puppet.lark"``.

    Raises FileNotFoundError if there is no such grammar.
    """
    from importlib.resources import files

    return files(__name__).joinpath(name).read_text(encoding="utf-8")
