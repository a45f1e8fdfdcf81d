"""The words of `catgraph query`, for its help: from the tables that say what they mean."""

from __future__ import annotations

from analyzer.graph.query import edges, fields, relations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Row = fields.Field | fields.Property | edges.EdgeField | edges.EdgeProperty

COMPARISONS = (
    ("a = b, a != b", "is; of a list of values, one of them is"),
    ('a ~ "/etc/*"', "fits the pattern, in which * is anything and ? any one character"),
    ("a ~ /^x[0-9]/", "fits the regular expression somewhere; !~ does not fit"),
    ("a in [b, c]", "is one of them; not in: none"),
    ("a < 5", "is less, as a number; <= > >="),
    ("a = undef", "has no value"),
)


def table() -> str:
    """Return all words with what they mean."""
    parameters = ("NAME, param.NAME", "a parameter, as `owner`; `options.port` looks into a hash")
    path = (f"{relations.PATH}(X, Y)", "what lies on a way from X to Y, with both")
    parts = (
        ("compared:", [*rows(fields.FIELDS), parameters]),
        ("with:", COMPARISONS),
        ("by itself:", [("File[/x]", "the resource"), *rows(fields.PROPERTIES)]),
        (
            "with a resource or a query X; before(X, 2) goes two steps at most, (*) as well:",
            [*related(), path],
        ),
        ("joined by:", [("and or not ( )", "a word with X binds tighter than these")]),
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
