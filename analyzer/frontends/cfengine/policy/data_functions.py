"""The functions of containers of JSON, and those that put texts together from them.

Facts: evalfunction.c of 3.21, measured (tests/frontends/cfengine/calls.json).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.cfengine.policy import machine
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.functions import split
from analyzer.frontends.cfengine.policy.json_output import compact, sort_members, written
from analyzer.frontends.cfengine.policy.list_functions import keyed
from analyzer.frontends.cfengine.policy.patterns import in_time, regular
from analyzer.frontends.cfengine.policy.unknown import NoResult, Unknown, UnknownResult
from analyzer.frontends.cfengine.policy.variables import EVERYWHERE, DataList, text_of

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.lookup import Lookup

TRUE = ("true", "yes", "on")
# Types of JSON; a truth is a number for Python, too.
PLAIN = (("boolean", bool), ("int", int), ("real", float))
LINE_PARTS = 99_999


def mapped_data(mode: str, source: Any, fill: Callable[[dict[str, Any]], str]) -> DataList:
    """Return a text, or JSON, filled in for each item of a container.

    Raises:
        NoResult: it is not JSON as it should be.
        UnknownResult: a command would fill it in.
    """
    if mode == "json_pipe":
        raise UnknownResult("mapdata() depends on the output of a command")
    result = DataList()
    for key, item in keyed(source).items():
        inner = (
            item.items()
            if isinstance(item, dict)
            else enumerate(item)
            if isinstance(item, list)
            else [("", item)]
        )
        for second, one in inner:
            if isinstance(one, dict | list):
                continue
            row: dict[str, Any] = {"this.k": key, "this.v": text_of(one)}
            if isinstance(item, dict):
                row["this.k[1]"] = second
            text = fill(row)
            result.append(
                read_item(text)
                if mode == "json"
                else canonified(text)
                if mode == "canonify"
                else text
            )
    return result


def read_item(text: str) -> Any:
    """Return JSON.

    Raises:
        NoResult: it is none.
    """
    from analyzer.frontends.cfengine.policy.functions import read_data

    return read_data(text)


def store_json(lookup: Lookup, name: Any) -> str:
    """Return a list or container as JSON."""
    found = lookup.listed(name, array=True)
    if not found and isinstance(name, str) and lookup.scope.stored(name) is None:
        raise NoResult(name)
    return written(found)


def data_expand(lookup: Lookup, name: Any) -> Any:
    """Return a container in which the variables in texts and keys are replaced."""

    def expanded(value: Any) -> Any:
        if isinstance(value, str):
            return lookup.scope.expand(value)
        if isinstance(value, list):
            return DataList(expanded(item) for item in value)
        if isinstance(value, dict):
            return {lookup.scope.expand(key): expanded(item) for key, item in value.items()}
        return value

    found = expanded(lookup.listed(name))
    return DataList(found) if isinstance(found, list) else found


def captures(pattern: str, text: str) -> dict[str, str] | None:
    """Return the groups of the first match by name or number, None if there is no match."""
    expression = regular(pattern)
    found = in_time(lambda: expression.search(text))
    if found is None:
        return None
    names = {number: name for name, number in expression.groupindex.items()}
    groups = [found[0], *found.groups()]
    while len(groups) > 1 and groups[-1] is None:
        groups.pop()
    return {names.get(number, str(number)): group or "" for number, group in enumerate(groups)}


def data_regextract(lookup: Lookup, pattern: str, text: str) -> dict[str, str]:
    """Return the groups of a match."""
    found = captures(pattern, text)
    if found is None:
        raise NoResult(pattern)
    return found


def regextract(lookup: Lookup, pattern: str, text: str, name: str) -> bool:
    """Set an array to the groups of a match, and return whether there is one."""
    found = captures(pattern, text)
    for index, group in (found or {}).items():
        lookup.world.assign(f"{name}[{index}]", group)
    return found is not None


def kind_of(lookup: Lookup, name: str, detail: str = "false") -> str:
    """Return the type of a variable, with `detail` also how it is stored.

    Raises:
        UnknownResult: the variable may not be set.
    """
    found = lookup.scope.get(name)
    declared = lookup.world.types.get(lookup.scope.key(name), "")
    if found is None and name.partition("[")[0] in EVERYWHERE:
        found, declared = "", "string"
    elif isinstance(found, Unknown) or (found is None and name.startswith(("sys.", "mon."))):
        raise UnknownResult(f"whether $({name}) has a value is not known here")
    elif not declared:
        return kind_of_data(lookup.scope.raw(name), name, detail in TRUE)
    if found is not None and declared == "data":
        return kind_of_data(found, name, detail in TRUE)
    return f"policy {declared}" if detail in TRUE else declared


def kind_of_data(found: Any, name: str, detail: bool) -> str:
    """Return the type of a container, or of an item of one."""
    if found is None:
        return "policy none" if detail else "none"
    if isinstance(found, list | dict):
        kind = "object" if isinstance(found, dict) else "array"
        return f"data {kind}" if detail else "data"
    kind = next((word for word, one in PLAIN if isinstance(found, one)), "string")
    return f"data {kind}" if detail else "data"


def array_of(kind: str, *, by_place: bool = False) -> Callable[..., str]:
    """Return a function that sets an array to the lines of a text, split into parts."""

    def parse(
        lookup: Lookup, name: str, text: str, comment: str, separator: str, most: str, size: str
    ) -> str:
        text = text.encode("utf-8", "surrogateescape")[: int(size)].decode("utf-8", "replace")
        if comment:
            text = in_time(lambda: regular(comment).sub("", text))
        rows = [line.removesuffix("\r") for line in text.split("\n")]
        count = 0
        for row in [row for row in rows if row][: int(most)]:
            parts = split(row, separator, LINE_PARTS)
            if kind == "int":
                parts = [str(int(part)) for part in parts]
            for place, part in enumerate(parts):
                first = str(count) if by_place else parts[0]
                lookup.world.assign(f"{name}[{first}][{place}]", part)
            count += 1
        return str(count)

    return parse


def formatted_data(lookup: Lookup, template: str, *arguments: Any) -> str:
    """Format texts as printf does, with `%S` for containers."""
    from analyzer.frontends.cfengine.policy.functions import DIRECTIVE, formatted

    kinds = [found[2] for found in DIRECTIVE.finditer(template) if found[0] != "%%"]
    texts = list(arguments)
    for place, kind in enumerate(kinds[: len(texts)]):
        if kind == "S":
            texts[place] = as_text(lookup, texts[place])
        elif not isinstance(texts[place], str):
            raise NoResult(template)
    return formatted(
        DIRECTIVE.sub(lambda f: f"%{f[1]}s" if f[2] == "S" else f[0], template), *texts
    )


def as_text(lookup: Lookup, name: Any) -> str:
    """Return the text of a list as in policies, or of a container as JSON, for `%S`."""
    if not isinstance(name, str):
        raise NoResult("a container without a name")
    found = lookup.listed(name)
    if isinstance(found, list) and not isinstance(found, DataList):
        return "{ " + ", ".join(json.dumps(str(item), ensure_ascii=False) for item in found) + " }"
    sort_members(found)
    return compact(found)


def mustache(lookup: Lookup, template: str, name: Any = None) -> str:
    """Return a template filled in."""
    from analyzer.frontends.cfengine.policy.mustache import rendered

    if name is None:
        return rendered(template, everything(lookup))
    return rendered(template, lookup.listed(name, array=True))


class ClassTable(dict[str, Any]):
    """The classes that are set, for templates: each name is asked for by itself."""

    def __init__(self, lookup: Lookup) -> None:
        super().__init__()
        self.lookup = lookup

    def get(self, name: str, default: Any = None) -> Any:
        """Return whether a class is set; None if it is not."""
        found = self.lookup.holds(name)
        return found if isinstance(found, Unknown) else found or None

    def __iter__(self) -> Any:
        """Refuse to list them.

        Raises:
            UnknownResult: the machine sets most of them.
        """
        raise UnknownResult("the classes of the machine are not known before the run")

    keys = values = items = __iter__

    def __len__(self) -> int:
        return 1


def everything(lookup: Lookup) -> dict[str, Any]:
    """Return the variables of all bundles; what the machine sets is unknown."""
    bundles: dict[str, Any] = {"sys": Unknown("the variables of sys are not known before the run")}
    for (space, bundle, name), value in lookup.scope.table.items():
        place = bundle if space == "default" else f"{space}:{bundle}"
        bundles.setdefault(place, {})[name] = value
    return {"classes": ClassTable(lookup), "vars": bundles}


def file_array(kind: str, *, by_place: bool = False) -> Callable[..., str]:
    """Return a function that sets an array to the lines of a file, split into parts."""
    parse = array_of(kind, by_place=by_place)

    def read(lookup: Lookup, name: str, path: str, *more: str) -> str:
        return parse(lookup, name, machine.text_of(lookup.world, path), *more)

    return read


def fields(lookup: Lookup, pattern: str, path: str, separator: str, name: str) -> str:
    """Set an array to the parts of the first line of a file that matches; return how many do."""
    expression = regular(pattern)
    rows = machine.text_of(lookup.world, path).splitlines()
    found = in_time(lambda: [row for row in rows if expression.fullmatch(row)])
    for place, part in enumerate(split(found[0], separator, LINE_PARTS) if found else (), 1):
        lookup.world.assign(f"{name}[{place}]", part)
    return str(len(found))


FUNCTIONS: dict[str, Callable[..., object]] = {
    "data_expand": data_expand,
    "datastate": everything,
    "data_regextract": data_regextract,
    "format": formatted_data,
    "getfields": fields,
    "parseintarray": array_of("int"),
    "parserealarray": array_of("real"),
    "parsestringarray": array_of("string"),
    "parsestringarrayidx": array_of("string", by_place=True),
    "readintarray": file_array("int"),
    "readrealarray": file_array("real"),
    "readstringarray": file_array("string"),
    "readstringarrayidx": file_array("string", by_place=True),
    "regextract": regextract,
    "storejson": store_json,
    "string_mustache": mustache,
    "type": kind_of,
}
