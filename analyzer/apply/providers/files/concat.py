"""The types concat_file and concat_fragment: a file that is put together (module concat)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
)
from analyzer.apply.providers.files.sources import FileSources
from analyzer.apply.providers.parameters import Parameters, shown
from analyzer.apply.redaction import redact
from analyzer.model.resource import Resource
from analyzer.model.values import flat

# What the file takes over.
_TAKEN = ("owner", "group", "mode", "replace", "backup", "validate_cmd", "show_diff")
_META = ("loglevel", "noop")
_LATER = "its fragments could not be put together"
_FORMATS = ("plain", "yaml", "json", "json-array", "json-pretty", "json-array-pretty")


class FragmentProvider(Provider):
    """A fragment changes nothing on its own."""

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Nothing is to be known of it."""
        Parameters(resource)
        return {}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Nothing is to be done."""
        return PlannedChanges()

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Nothing is done."""
        return ()


class ConcatProvider(FragmentProvider):
    """A file made of fragments: it brings the file resource that holds them."""

    def __init__(self, sources: FileSources | None = None) -> None:
        self.sources = sources or FileSources()

    def announce(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the file, whose content is not yet known."""
        parameters = Parameters(resource, "path")
        return [self._file(parameters, resource, {"__unknown": _LATER})]

    def generate(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the file with its content."""
        parameters = Parameters(resource, "path")
        secret: list[str] = []
        content = self._content(parameters, resource, others, host, secret)
        return [self._file(parameters, resource, content, secret)]

    def _file(
        self,
        parameters: Parameters,
        resource: Resource,
        content: object,
        secret: Sequence[str] = (),
    ) -> Resource:
        made: dict[str, object] = {
            name: parameters[name] for name in (*_TAKEN, *_META) if name in parameters
        }
        absent = parameters.text("ensure") == ABSENT
        made |= {"ensure": ABSENT if absent else "file", "content": content}
        tags = list(resource.tags or ())
        hidden = sorted({*secret, *(parameters.secret & made.keys())})
        return Resource("File", parameters.name, made, tags=tags, sensitive=hidden or None)

    def _content(
        self,
        parameters: Parameters,
        resource: Resource,
        others: Collection[Resource],
        host: Host,
        secret: list[str],
    ) -> str:
        pieces = []
        for other in others:
            if other.type != "Concat_fragment" or not _belongs(other, parameters, resource):
                continue
            fragment = Parameters(other)
            if not {"content", "source"}.isdisjoint(fragment.secret):
                secret[:] = ["content"]
            text = self._text(fragment, host, parameters.flag("ensure_newline"))
            pieces.append((fragment.text("order", "10") or "10", fragment.name, text))
        numeric = parameters.text("order", "numeric") == "numeric"
        pieces.sort(key=_numeric if numeric else _alphabetic)
        return _merged(parameters, [piece[2] for piece in pieces])

    def _text(self, fragment: Parameters, host: Host, newline: bool) -> str:
        text = fragment.text("content")
        if text is None:
            sources = fragment.texts("source")
            try:
                _, place, _ = self.sources.first(host, sources, "follow")
            except ProviderError:
                message = f"Could not retrieve source(s) {', '.join(sources)}"
                raise ProviderError(redact(fragment.resource, message)) from None
            text = place.read().decode("utf-8", "surrogateescape")
        return text if not newline or text.endswith("\n") else f"{text}\n"


def _belongs(fragment: Resource, parameters: Parameters, resource: Resource) -> bool:
    target, tag = fragment.parameters.get("target"), fragment.parameters.get("tag")
    if target in {parameters.name, resource.title}:
        return True
    return tag is not None and _first(tag) == _first(resource.parameters.get("tag"))


def _first(tag: object) -> str:
    return shown(flat([tag])[0]) if tag is not None else ""


def _numeric(piece: tuple[str, str, str]) -> tuple[tuple[int, int, str], ...]:
    """Numbers come before texts; Ruby cannot compare the two at all."""
    return tuple(
        (0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part)
        for part in piece[:2]
    )


def _alphabetic(piece: tuple[str, str, str]) -> tuple[str, str]:
    return piece[0], piece[1]


def _merged(parameters: Parameters, texts: Sequence[str]) -> str:
    kind = parameters.choice("format", {name: name for name in _FORMATS}, "plain")
    if kind == "plain":
        return "".join(texts)
    if kind == "yaml":
        import yaml

        from analyzer.formats.yaml_writer import dump

        return dump(_merge_all(parameters, [yaml.safe_load(text) for text in texts]))
    from analyzer.formats.json_writer import JsonGenerator, JsonStyle

    values = [json.loads(text) for text in texts]
    value = values if "array" in str(kind) else _merge_all(parameters, values)
    style = JsonStyle("  ", " ", "", "\n", "\n") if str(kind).endswith("pretty") else JsonStyle()
    return JsonGenerator(style).value(value)


def _merge_all(parameters: Parameters, values: Sequence[object]) -> object:
    merged: object = {}
    for value in values:
        merged = _merge(merged, value, parameters.flag("force"))
    return merged


def _merge(first: Any, second: Any, force: bool) -> object:
    if not second:
        return first
    if not first:
        return second
    if isinstance(first, list) and isinstance(second, list):
        both = first + second
        return [one for number, one in enumerate(both) if one not in both[:number]]
    made = dict(first)
    for key, new in second.items():
        old = made.get(key)
        if key not in made:
            made[key] = new
        elif type(old) is type(new) and isinstance(old, (dict, list)):
            made[key] = _merge(old, new, force)
        elif old != new and not force:
            raise ProviderError(
                f"Duplicate key '{key}' found with values '{old}' and {new}'. "
                "Use 'force' attribute to merge keys."
            )
    return made
