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

    `read` are the declarations of types in Ruby, which apply to types without a table. A block that
    the table has and the file lacks is of another version of the module.
    """
    from analyzer.graph.automatic import core

    # Types written in the Puppet language that are named after a module have no rules.
    if all(kind in core.KNOWN or "::" in kind for kind in typed):
        return rules_of(core.ROWS)
    from analyzer.graph.automatic import modules

    read = tuple(read)
    known, others = rules_of(core.ROWS, modules.ROWS), types_of_other_versions(read)
    more = [row_read(one) for one in read if is_only_read(one, others)]
    if not more and not others:
        return known
    kept = (row for row in known.rows if block_of(row) in others.get(row.type, {block_of(row)}))
    return Rules([*kept, *more])


# The kind and the target of a block.
Block = tuple[str, str]


def block_of(row: AutoRelation) -> Block:
    """Return the block that a row stands for."""
    return NAMES[row.kind], row.target


def is_only_read(one: TypeRelation, others: Mapping[str, set[Block]]) -> bool:
    """Return whether only the file has a block; `others` are those of types of other versions."""
    if not one.titles or one.target == "Class":
        return False
    if one.type in others:
        return (one.kind, one.target) not in tabled_blocks()[one.type]
    return not is_tabled(one)


def tabled_blocks() -> dict[str, set[Block]]:
    """Return the blocks that the tables of modules have, by type; made once."""
    from analyzer.graph.automatic import modules

    if modules.ROWS not in TABLED:
        made = TABLED[modules.ROWS] = {}
        for row in modules.ROWS:
            made.setdefault(row.type, set()).add(block_of(row))
    return TABLED[modules.ROWS]


TABLED: dict[tuple[AutoRelation, ...], dict[str, set[Block]]] = {}


def types_of_other_versions(read: Iterable[TypeRelation]) -> dict[str, set[Block]]:
    """Return the types whose file has other blocks than the table, with those of the file."""
    from analyzer.model.automatic import ALL_READ

    declared: dict[str, set[Block]] = {}
    read = tuple(read)
    for one in read:
        if one.kind == ALL_READ and one.type in tabled_blocks():
            declared[one.type] = set()
    for one in read:
        # A block for classes has no effect: they are no resource type.
        if one.type in declared and one.target not in ("", "Class"):
            declared[one.type].add((one.kind, one.target))
    return {type: found for type, found in declared.items() if found != tabled_blocks()[type]}


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
