"""The words of the query language, for the help of `catgraph query`."""

from __future__ import annotations

from analyzer.graph.query import edges, fields, relations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Row = fields.Field | fields.PropertyRow | edges.EdgeField | edges.EdgeProperty

COMPARISONS = (
    ("a = b, a != b", "equals; for a list of values, any of them"),
    ('a ~ "/etc/*"', "matches the pattern: * is any text, ? any one character"),
    ("a ~ /^x[0-9]/", "matches the regular expression somewhere; !~ does not match"),
    ("a in [b, c]", "equals one of them; not in: none of them"),
    ("a < 5", "is less, as a number; also <= > >="),
    ("a = undef", "has no value"),
)


def table() -> str:
    """Return all words with their meanings."""
    parameters = ("NAME, param.NAME", "a parameter such as owner; options.port is a key of a hash")
    of_it = ("before it: X", "a resource of X is before this one; all relations have this form")
    path = (f"{relations.PATH}(X, Y)", "everything on a path from X to Y, both included")
    parts = (
        ("fields to compare:", [*rows(fields.FIELDS), parameters]),
        ("comparisons:", COMPARISONS),
        ("properties:", [("File[/x]", "the resource"), *rows(fields.PROPERTIES)]),
        (
            "relations to a resource or query X; those with (*) take a number of steps, "
            "before(X, 2):",
            [*related(), of_it, path],
        ),
        ("operators:", [("and or not ( )", "relations bind tighter than these")]),
        ("for 'edges where ...':", [*rows(edges.FIELDS), *rows(edges.PROPERTIES), *between()]),
    )
    return "\n".join(line for head, found in parts for line in [head, *aligned(found)])


def rows(found: Mapping[str, Row]) -> list[tuple[str, str]]:
    """Return the rows of a table."""
    return [(row.name, row.what) for row in found.values()]


def related() -> list[tuple[str, str]]:
    """Return the words for relations."""
    return [
        (f"{row.name} X{' (*)' if row.deep else ''}", row.what)
        for row in relations.RELATIONS.values()
    ]


def between() -> list[tuple[str, str]]:
    """Return the words for edges at resources."""
    return [(f"{name} X", what) for name, what in edges.RELATIONS.items()]


def aligned(found: Sequence[tuple[str, str]]) -> list[str]:
    """Return rows as lines."""
    return [f"  {name:<17} {what}" for name, what in found]
