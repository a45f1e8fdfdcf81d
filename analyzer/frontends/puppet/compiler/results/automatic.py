"""The automatic relationships that types in modules make, as their Ruby files say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.keys import parse_title
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.ruby_types.relations import RubyResource
from analyzer.model.automatic import ALL_READ, TypeRelation
from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource
from analyzer.model.types import GENERATING
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ruby_types import RubyTypes

GENERATE = ("generate", "eval_generate")

# Why a type's `generate` is not known, though the method is.
COMPUTED = "it is computed in Ruby"


def relations_of(resources: Iterable[Resource], compilation: Compilation) -> Iterator[TypeRelation]:
    """Yield what the types of some resources say of relationships.

    The file of a type is read without running it; what that leaves open is asked of Ruby, if the
    user allows Ruby and no table has the type.
    """
    types = compilation.definitions.ruby_types
    native = [resource for resource in resources if resource.kind == "compilable_type"]
    by_type: dict[str, list[Resource]] = {}
    for resource in native:
        if resource.type.lower() in types.files:
            by_type.setdefault(resource.type, []).append(resource)
    read = {kind: list(relations_in(kind, found, types)) for kind, found in by_type.items()}
    open_kinds = {
        kind: rows
        for kind, rows in read.items()
        if any(one.unknown and one.kind not in GENERATE for one in rows)
    }
    if compilation.ruby is not None:
        # Making all resources in Ruby takes seconds.
        for kind in compilation.ruby.tabled:
            open_kinds.pop(kind, None)
    if open_kinds and compilation.ruby is not None:
        read |= asked_of_ruby(native, open_kinds, compilation)
    for rows in read.values():
        yield from rows


def relations_in(kind: str, found: list[Resource], types: RubyTypes) -> Iterator[TypeRelation]:
    """Yield what the file of one type says."""
    name = kind.lower()
    declared, source = types.relating(name), types.files[name]
    if declared is None or declared.relates:
        why = declared.relates if declared else types.problem(name)
        yield TypeRelation(kind, "autorequire", "", {}, why, source)
        return
    if declared.methods.keys() & set(GENERATE):
        yield TypeRelation(kind, "generate", "", {}, COMPUTED, source)
    elif kind in GENERATING:
        # Another type of the same name than the one that is known to generate resources.
        yield TypeRelation(kind, "generate", "", {}, "", source)
    yield TypeRelation(kind, ALL_READ, "", {}, "", source)
    for relation in declared.relations.values():
        titles: dict[str, tuple[str, ...]] = {}
        unknown = ""
        for resource in found:
            resource_in_ruby = RubyResource(declared, resource.title, given(resource, name, types))
            named = resource_in_ruby.titles(relation)
            if named is None:
                unknown = f"{relation.kind}(:{relation.target}) computes what it names"
            elif named:
                titles[str(resource)] = tuple(named)
        target = capitalize_type(relation.target)
        yield TypeRelation(kind, relation.kind, target, titles, unknown, source)


def asked_of_ruby(
    resources: list[Resource], read: dict[str, list[TypeRelation]], compilation: Compilation
) -> dict[str, list[TypeRelation]]:
    """Return the relationships of types as Ruby computes them; types that fail are left out.

    A type is not asked if a parameter of its resources is Unknown.
    """
    assert compilation.ruby is not None
    of_ruby: list[int] = []
    for kind in read:
        places = [place for place, one in enumerate(resources) if one.type == kind]
        if all(find_unknown((resources[place].parameters,)) is None for place in places):
            of_ruby += places
    if not of_ruby:
        return {}
    rows = [[one.type, one.title, known_of(one.parameters)] for one in resources]
    partial = any(find_unknown((one.parameters,)) is not None for one in resources)
    answers = compilation.ruby.relations(rows, of_ruby, partial)
    if isinstance(answers, Unknown):
        return {}
    answered_by_type: dict[str, list[tuple[Resource, Value]]] = {}
    for place, answer in zip(of_ruby, answers, strict=True):
        answered_by_type.setdefault(resources[place].type, []).append((resources[place], answer))
    return {
        kind: list(relations_said(kind, answered, read[kind][0].source))
        for kind, answered in answered_by_type.items()
        if not any(isinstance(answer, str) for _, answer in answered)
    }


def relations_said(
    kind: str, answered: list[tuple[Resource, Any]], source: str
) -> Iterator[TypeRelation]:
    """Yield the relationships that Ruby named for the resources of one type."""
    titles: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for resource, (relations, _) in answered:
        for relation, target, named in relations:
            titles.setdefault((relation, capitalize_type(target)), {})
            for one in named:
                # A block may give a resource in place of a title.
                type, title = one if isinstance(one, list) else (target, one)
                found = titles.setdefault((relation, capitalize_type(type)), {})
                found[str(resource)] = (*found.get(str(resource), ()), title)
    if any(generates for _, (_, generates) in answered):
        yield TypeRelation(kind, "generate", "", {}, COMPUTED, source)
    elif kind in GENERATING:
        yield TypeRelation(kind, "generate", "", {}, "", source)
    for (relation, target), named_by in titles.items():
        yield TypeRelation(kind, relation, target, named_by, "", source)


def known_of(parameters: dict[str, Value]) -> dict[str, Value]:
    """Return the parameters that are known."""
    return {
        name: value
        for name, value in parameters.items()
        if value is not None and find_unknown((value,)) is None
    }


def given(resource: Resource, name: str, types: RubyTypes) -> dict[str, Value]:
    """Return the parameters of a resource, with those that its title stands for."""
    ruby = types.find(name)
    try:
        titled = parse_title(ruby, resource.title) if ruby is not None else {}
    except EvaluationError:
        titled = {}
    return {**titled, **{k: v for k, v in resource.parameters.items() if v is not None}}
