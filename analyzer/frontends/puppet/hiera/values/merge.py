"""Merge strategies: what becomes of several values of one key (pops/merge_strategy.rb)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

from analyzer.frontends.puppet.evaluate.ruby import to_s, unique
from analyzer.frontends.puppet.hiera.errors import NotFound, RubyFault
from analyzer.frontends.puppet.hiera.values import schema
from analyzer.frontends.puppet.hiera.values.deep_merge import DeepOptions, deep_merge
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value, flat

Variant = TypeVar("Variant")

HASH_OF_DATA = schema.HashOf(schema.Text(), schema.Data())


class _Scalar(schema.Type):
    name = full = "Scalar"

    def _has(self, value: object) -> bool:
        return isinstance(value, str | int | float)


SCALAR_OR_ARRAY = schema.Either((_Scalar(), schema.Array(schema.Data())))


def _options(key: str, **types: schema.Type) -> schema.Struct:
    strategy = schema.Either((schema.Words(pattern=key),), undef=True)
    return schema.Struct(
        {"strategy": strategy}
        | {name: schema.Either((kind,), undef=True) for name, kind in types.items()}
    )


class MergeStrategy:
    """The first value found wins; the others of this module merge."""

    key: ClassVar[str] = "first"
    merges: ClassVar[bool] = False
    accepted: ClassVar[schema.Type | None] = _options("first")

    def __init__(self, options: JsonObject | None = None) -> None:
        self.options = options or {}
        if options and self.accepted is not None:
            schema.check("The merge options", self.accepted, options)

    def lookup(self, variants: Sequence[Variant], find: Callable[[Variant], Value]) -> Value:
        """Return the value that the variants give, each asked by `find`.

        Raises:
            NotFound: none has one.
        """
        if not self.merges:
            return _first(variants, find)
        if len(variants) == 1:
            return self.single(find(variants[0]))
        results: list[Value] = []
        for variant in variants:
            # Merged one by one: what cannot be merged keeps the rest from being looked up.
            for value in _try(find, variant):
                results = [self._merged(results[0], value) if results else self.convert(value)]
        if not results:
            raise NotFound
        return results[0]

    def _merged(self, first: object, second: object) -> Value:
        for value in (first, second):
            if isinstance(value, Unknown):
                return value
        return self.merge(first, second)

    def merge(self, first: object, second: object) -> Any:
        """Return two values as one; the first has precedence."""
        return first

    def convert(self, value: object) -> Any:
        """Return the first of several values, before it is merged."""
        return value

    def single(self, value: object) -> Value:
        """Return the value where only one can be."""
        return value


def _first(variants: Sequence[Variant], find: Callable[[Variant], object]) -> Value:
    for variant in variants:
        for value in _try(find, variant):
            return value
    raise NotFound


def _try(find: Callable[[Variant], object], variant: Variant) -> list[Value]:
    try:
        return [find(variant)]
    except NotFound:
        return []


class FirstFound(MergeStrategy):
    """The first value found, as no strategy was asked for."""

    key = "default"
    accepted = _options("default")


class Hash(MergeStrategy):
    """Top-level keys of hashes."""

    key = "hash"
    merges = True
    accepted = _options("hash")

    def merge(self, first: Any, second: Any) -> Value:
        schema.check("The first element of the merge", HASH_OF_DATA, first)
        schema.check("The second element of the merge", HASH_OF_DATA, second)
        return {**second, **first}


class Unique(MergeStrategy):
    """Scalars and flattened arrays, each element once."""

    key = "unique"
    merges = True
    accepted = _options("unique")

    def merge(self, first: object, second: object) -> Any:
        schema.check("The first element of the merge", SCALAR_OR_ARRAY, first)
        schema.check("The second element of the merge", SCALAR_OR_ARRAY, second)
        return unique([*self.convert(first), *self.convert(second)])

    def convert(self, value: object) -> Any:
        if isinstance(value, Unknown):
            return value
        return flat(value) if isinstance(value, list) else [value]

    def single(self, value: object) -> Value:
        return unique(value) if isinstance(value, list) else value


class Deep(MergeStrategy):
    """Hashes and arrays at all depths."""

    key = "deep"
    merges = True
    accepted: ClassVar[schema.Type | None] = _options(
        "deep",
        knockout_prefix=schema.Text(),
        merge_debug=schema.Boolean(),
        merge_hash_arrays=schema.Boolean(),
        sort_merged_arrays=schema.Boolean(),
    )

    def merge(self, first: object, second: object) -> Any:
        known = {field.name for field in fields(DeepOptions)}
        options = {key: value for key, value in self.options.items() if key in known}
        return deep_merge(first, second, DeepOptions(**options))


class UnconstrainedDeep(Deep):
    """The merge behaviour `deeper` of Hiera 3."""

    key = "unconstrained_deep"
    accepted = None


class ReverseDeep(UnconstrainedDeep):
    """The merge behaviour `deep` of Hiera 3."""

    key = "reverse_deep"

    def merge(self, first: object, second: object) -> Any:
        return super().merge(second, first)


STRATEGIES: dict[str, type[MergeStrategy]] = {
    kind.key: kind
    for kind in (MergeStrategy, FirstFound, Hash, Unique, Deep, UnconstrainedDeep, ReverseDeep)
}


def strategy(merge: object) -> MergeStrategy:
    """Return the strategy of a name, of a hash with its name and options, or the default one.

    Raises:
        RubyFault: there is none of that name.
        PuppetFault: it has no such options.
    """
    if isinstance(merge, MergeStrategy):
        return merge
    if merge is None or merge is False:
        return FirstFound()
    name, options = merge, None
    if isinstance(merge, dict):
        name = merge.get("strategy")
        options = merge if len(merge) > 1 else None
        if name is None:
            raise RubyFault(
                "The hash given as 'merge' must contain the name of a strategy in string form"
                " for the key 'strategy'"
            )
    kind = STRATEGIES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise RubyFault(f"Unknown merge strategy: '{to_s(name)}'")
    return kind(options)
