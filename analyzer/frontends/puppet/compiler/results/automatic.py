"""The automatic relationships that types in modules make, as their Ruby files say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.keys import parse_title
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.ruby_types.relations import RubyResource
from analyzer.model.automatic import TypeRelation
from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource
from analyzer.model.types import GENERATING

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.ruby_types import RubyTypes

GENERATE = ("generate", "eval_generate")


def relations_of(resources: Iterable[Resource], compiler: Compiler) -> Iterator[TypeRelation]:
    """Yield what the types of some resources say of relationships."""
    types = compiler.known.ruby_types
    by_type: dict[str, list[Resource]] = {}
    for resource in resources:
        if resource.kind == "compilable_type" and resource.type.lower() in types.files:
            by_type.setdefault(resource.type, []).append(resource)
    for kind, found in by_type.items():
        yield from relations_in(kind, found, types)


def relations_in(kind: str, found: list[Resource], types: RubyTypes) -> Iterator[TypeRelation]:
    """Yield what one type says."""
    name = kind.lower()
    declared, source = types.relating(name), types.files[name]
    if declared is None or declared.relates:
        why = declared.relates if declared else "its file has no newtype that can be read"
        yield TypeRelation(kind, "autorequire", "", {}, why, source)
        return
    if declared.methods.keys() & set(GENERATE):
        yield TypeRelation(kind, "generate", "", {}, "it is computed in Ruby", source)
    elif kind in GENERATING:
        # Another type of the same name than the one that is known to generate resources.
        yield TypeRelation(kind, "generate", "", {}, "", source)
    for relation in declared.relations.values():
        titles: dict[str, tuple[str, ...]] = {}
        unknown = ""
        for resource in found:
            named = relation.titles(Asked(declared, resource.title, given(resource, name, types)))
            if named is None:
                unknown = f"{relation.kind}(:{relation.target}) computes what it names"
            elif named:
                titles[str(resource)] = tuple(named)
        target = capitalize_type(relation.target)
        yield TypeRelation(kind, relation.kind, target, titles, unknown, source)


def given(resource: Resource, name: str, types: RubyTypes) -> dict[str, Any]:
    """Return the parameters of a resource, with those that its title stands for."""
    ruby = types.find(name)
    try:
        said = parse_title(ruby, resource.title) if ruby is not None else {}
    except EvaluationError:
        said = {}
    return {**said, **{k: v for k, v in resource.parameters.items() if v is not None}}
