"""The rules for a catalog: those of Puppet's own types, of modules, and those read from Ruby."""

from __future__ import annotations

from analyzer.graph.automatic.rules import AutoRelation, Rules
from analyzer.graph.labels import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analyzer.model.automatic import TypeRelation


def standard_rules(typed: Mapping[str, object], read: Iterable[TypeRelation] = ()) -> Rules:
    """Return the rules for the types of a catalog: Puppet's own, and the modules' if needed.

    `read` are the declarations of types in Ruby, which apply to types without a table, and to those
    of which they are the whole.
    """
    from analyzer.graph.automatic import core

    # Types written in the Puppet language that are named after a module have no rules.
    if all(kind in core.KNOWN or "::" in kind for kind in typed):
        return rules_of(core.ROWS)
    from analyzer.graph.automatic import modules
    from analyzer.model.automatic import WHOLE

    read = tuple(read)
    whole = {one.type for one in read if one.kind == WHOLE} - core.KNOWN
    more = [
        row_read(one) for one in read if one.titles and (one.type in whole or not is_tabled(one))
    ]
    known = rules_of(core.ROWS, modules.ROWS)
    if not whole and not more:
        return known
    return Rules([*(row for row in known.rows if row.type not in whole), *more])


def rules_of(*tables: tuple[AutoRelation, ...]) -> Rules:
    """Return the rules of tables, made once: there are two sets of them."""
    if tables not in MADE:
        MADE[tables] = Rules(row for table in tables for row in table)
    return MADE[tables]


# Without `functools`, whose import takes a tenth of a cold `cycles`.
MADE: dict[tuple[tuple[AutoRelation, ...], ...], Rules] = {}


def is_tabled(relation: TypeRelation) -> bool:
    """Return whether a table has the type of a declaration in Ruby."""
    return relation.type in tabled_types()


def tabled_types() -> frozenset[str]:
    """Return the types whose automatic relationships the tables have, or that have none."""
    from analyzer.graph.automatic import core, modules

    return core.KNOWN | modules.WITHOUT_ROWS | {row.type for row in modules.ROWS}


def row_read(relation: TypeRelation) -> AutoRelation:
    """Return the row for a declaration in Ruby."""
    titles = relation.titles
    return AutoRelation(
        relation.type,
        NAMES.index(relation.kind),
        relation.target,
        lambda resource, _: titles.get(str(resource), ()),
        relation.source,
    )
