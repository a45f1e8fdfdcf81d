"""Merges nested hashes and arrays as the Ruby library deep_merge does, which Puppet uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect, unique
from analyzer.frontends.puppet.hiera.errors import RubyFault
from analyzer.model.values import Value


@dataclass(frozen=True, slots=True)
class DeepOptions:
    """Options of a deep merge; the last four only where a hiera.yaml of version 3 sets them."""

    knockout_prefix: str | None = None
    sort_merged_arrays: bool = False
    merge_hash_arrays: bool = False
    overwrite_arrays: bool = False
    unpack_arrays: str | None = None
    extend_existing_arrays: bool = False
    preserve_unmergeables: bool = False


def clone(value: object) -> Value:
    """Return a copy that shares no array and no hash."""
    if isinstance(value, dict):
        return {key: clone(item) for key, item in value.items()}
    return [clone(item) for item in value] if isinstance(value, list) else value


def deep_merge(source: object, destination: object, options: DeepOptions) -> Any:
    """Return the source merged over the destination.

    Raises:
        RubyFault: the knockout prefix is empty, or merged arrays cannot be sorted.
    """
    if options.knockout_prefix == "":
        raise RubyFault("knockout_prefix cannot be an empty string in deep_merge!")
    if options.knockout_prefix and options.preserve_unmergeables:
        raise RubyFault(
            "overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!"
        )
    return _Merge(options).merge(clone(source), clone(destination))


class _Merge:
    """Works in place like the library: an array that is in both is the same one on both sides."""

    def __init__(self, options: DeepOptions) -> None:
        self.options = options
        self.prefix = options.knockout_prefix
        self.cut = self._cutter()

    def _cutter(self) -> Callable[[str], str]:
        if self.prefix is None:
            return lambda text: text
        try:
            # The library puts the prefix into a regular expression as it is.
            pattern = re.compile("^(?:" + self.prefix + ")", re.M)
        except re.error as error:
            raise RubyFault(f"{error}: /^{self.prefix}/") from None
        return lambda text: pattern.sub("", text)

    def merge(self, source: object, destination: object) -> Any:
        if source is None:
            return destination
        if destination is None or destination is False:
            return destination if self.options.preserve_unmergeables else source
        if isinstance(source, dict):
            return self._hash(source, destination)
        if isinstance(source, list):
            return self._array(source, destination)
        if isinstance(destination, list) and self.options.extend_existing_arrays:
            destination.append(source)
            return destination
        return self._overwrite(source, destination)

    def _hash(self, source: dict[object, object], destination: object) -> Any:
        for key, value in list(source.items()):
            if isinstance(destination, dict):
                old = destination.get(key)
                present = old is not None and old is not False
                destination[key] = self.merge(value, old if present else _duplicate(value))
            elif isinstance(destination, list) and self.options.extend_existing_arrays:
                destination.append(source)
            else:
                destination = self._overwrite(source, destination)
        return destination

    def _array(self, source: list[object], destination: object) -> Value:
        if self.options.overwrite_arrays:
            return source
        separator = self.options.unpack_arrays
        if separator:
            source = _unpacked(source, separator)
            if isinstance(destination, list):
                destination = _unpacked(destination, separator)
        if self.prefix and self.prefix in source:
            destination = _cleared(destination)
            source[:] = [item for item in source if item != self.prefix]
        if not isinstance(destination, list):
            return self._overwrite(source, destination)
        if self.prefix:
            self._knock_out(source, destination)
        return self._sorted(self._joined(source, destination))

    def _joined(self, source: list[object], destination: list[object]) -> list[Value]:
        hashes = all(isinstance(item, dict) for item in (*source, *destination))
        if not (self.options.merge_hash_arrays and hashes):
            return unique([*destination, *source])
        pairs = enumerate(list(destination))
        joined = [self.merge(source[i] if i < len(source) else {}, old) for i, old in pairs]
        return joined + source[len(destination) :]

    def _sorted(self, values: list[object]) -> list[Value]:
        if not self.options.sort_merged_arrays:
            return values
        try:
            return _merge_sort(values)
        except _Incomparable as error:
            raise RubyFault(str(error)) from None

    def _knock_out(self, source: list[object], destination: list[object]) -> None:
        """Do what Array#delete_if does, step by step: source and destination may be one array."""
        read = write = 0
        while read < len(source):
            item = source[read]
            rest = self.cut(item) if isinstance(item, str) else item
            if rest != item:
                for gone in (rest, item):
                    destination[:] = [kept for kept in destination if kept != gone]
            else:
                source[write] = item
                write += 1
            read += 1
        source[write:read] = []

    def _overwrite(self, source: object, destination: object) -> Value:
        if self.options.preserve_unmergeables:
            return destination
        if self.prefix and isinstance(source, str):
            return source if self.cut(source) == source else ""
        if self.prefix and isinstance(source, list):
            source[:] = [x for x in source if not isinstance(x, str) or self.cut(x) == x]
        return source


def _duplicate(value: Any) -> Value:
    return value.copy() if isinstance(value, dict | list) else value


def _cleared(value: object) -> Value:
    if isinstance(value, list | dict):
        value.clear()
        return value
    return "" if isinstance(value, str) else None


def _unpacked(values: list[object], separator: str) -> list[Any]:
    parts = separator.join(str(value) for value in values).split(separator)
    while parts and not parts[-1]:
        parts.pop()
    return parts


class _Incomparable(Exception):
    """Two values have no order in Ruby."""


def _merge_sort(values: list[object]) -> list[Value]:
    """Sort with the comparisons of glibc's qsort: the first that fails is in the message."""
    if len(values) < 2:
        return values
    middle = len(values) // 2
    left, right = _merge_sort(values[:middle]), _merge_sort(values[middle:])
    merged: list[Value] = []
    while left and right:
        merged.append((left if _compare(left[0], right[0]) <= 0 else right).pop(0))
    return merged + left + right


def _compare(left: object, right: object) -> int:
    order = _spaceship(left, right)
    if order is None:
        special = right is None or isinstance(right, bool | int | float)
        shown = inspect(right) if special else class_name(right)
        raise _Incomparable(f"comparison of {class_name(left)} with {shown} failed")
    return order


def _spaceship(left: Value, right: Any) -> int | None:
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (left, right))
    if numbers or (isinstance(left, str) and isinstance(right, str)):
        return int(left > right) - int(left < right)
    if isinstance(left, list) and isinstance(right, list):
        for one, other in zip(left, right, strict=False):
            order = _spaceship(one, other)
            if order != 0:
                return order
        return len(left) - len(right)
    return 0 if type(left) is type(right) and left == right else None
