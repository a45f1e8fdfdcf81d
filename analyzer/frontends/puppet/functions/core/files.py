"""file, find_file, find_template, binary_file and module_directory: the files of modules."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.functions.registry import Call, function, legacy_function
from analyzer.model.values import Binary


def paths_of(found: tuple[object, ...]) -> list[Any]:
    """Return paths that were given one by one or as arrays."""
    return list(found[0]) if found and isinstance(found[0], list) else list(found)


def first_file(call: Call, paths: list[Any], folder: str) -> str | None:
    """Return where the first of the files that exist is."""
    return next((place for path in paths if (place := call.files.find(path, folder))), None)


@legacy_function("file", -2)
def file(call: Call, *paths: object) -> str:
    """Return the content of the first of the files that exist."""
    place = first_file(call, list(paths), "files")
    if place is None:
        call.fail(f"Could not find any files from {', '.join(map(to_s, paths))}")
    return call.files.read(place).decode("utf-8", "surrogateescape")


@function("binary_file", "String $path")
def binary_file(call: Call, path: str) -> Binary:
    """Return the bytes of a file."""
    place = call.files.find(path, "files")
    if place is None:
        call.fail(f"binary_file(): The given file '{path}' does not exist")
    return Binary(call.files.read(place))


@function("find_file", "String *$paths", "Array[Array[String]] *$paths_array")
def find_file(call: Call, *paths: object) -> str | None:
    """Return the path of the first of the files that exist."""
    return first_file(call, paths_of(paths), "files")


@function("find_template", "String *$paths", "Array[Array[String]] *$paths_array")
def find_template(call: Call, *paths: object) -> str | None:
    """Return the path of the first of the templates that exist."""
    return first_file(call, paths_of(paths), "templates")


@function("module_directory", "String *$names", "Array[Array[String]] *$names")
def module_directory(call: Call, *names: object) -> str | None:
    """Return the folder of the first of the modules that exist."""
    return next((place for name in paths_of(names) if (place := call.files.module(name))), None)
