"""Docstrings begin as the style page wants it: with a verb, not with a phrase about something."""

import ast
import re

from tests.architecture.test_budget import BODIES, name_of, trees

# "Return what", "What the", "Tell whether", "Let something happen", "Knows files".
FORBIDDEN = re.compile(
    r"(Return (what|who)|Tells?|Says?|Knows?|Let|What|Whether|How|Who|Where|When|Why)\b"
)
RETURNED = re.compile(r"Returns? (what|who)\b")


def docstrings(node: ast.AST) -> list[str]:
    """Return the docstrings of the functions and classes below a node."""
    found = []
    for name in BODIES:
        for child in getattr(node, name, ()):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.append(ast.get_docstring(child) or "")
            found += docstrings(child)
    return found


def test_docstrings_begin_with_a_verb() -> None:
    found = []
    for path, tree in trees().items():
        name = name_of(path)
        refused = FORBIDDEN if name.startswith(("analyzer/", "tui/", "grammars/")) else RETURNED
        found += [(name, text) for text in docstrings(tree) if refused.match(text)]
    assert found == []
