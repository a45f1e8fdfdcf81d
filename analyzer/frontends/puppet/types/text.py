"""Types as Puppet prints them (TypeFormatter)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import ANY, UNDEF, AnyType, Printed, Type, UnitType
from analyzer.frontends.puppet.types.model.builtin import ALIAS_NAMES
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.catalog import (
    ClassType,
    ResourceType,
    RuntimeType,
    capitalize_segments,
)
from analyzer.frontends.puppet.types.model.collections import (
    ARRAY,
    HASH,
    ArrayType,
    CollectionType,
    HashType,
    StructElement,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import BooleanType, FloatType, IntegerType
from analyzer.frontends.puppet.types.model.objects import (
    MISSING,
    InitType,
    ObjectType,
    ObjectValue,
    ParameterizedObject,
    TypeSetType,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    SemVerType,
    TimespanType,
    TimestampType,
    URIType,
)
from analyzer.frontends.puppet.types.model.strings import (
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    Iteration,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
)
from analyzer.frontends.puppet.types.object_hashes import described
from analyzer.model.quote import float_text, quoted, regexp_text
from analyzer.model.values import DEFAULT, Default, Regexp, Value


def printed(found: Printed) -> str:
    """Return a type or value as Puppet prints it; an alias or Object at the top with its meaning.

    It is what `str` returns.
    """
    if isinstance(found, TypeAliasType | ObjectType | TypeSetType):
        return expanded(found)
    if isinstance(found, Type):
        return Formatter().type(found)
    if isinstance(found, Iteration):
        element = found.element_type
        return f"Iterator[{generalize(element)}]-Value" if element else "Iterator-Value"
    assert isinstance(found, ObjectValue)
    return _object_value(found)


def _object_value(found: ObjectValue) -> str:
    known = found.type.all_attributes()
    given = {name: v for name, v in found.attributes.items() if v != known[name].value}
    return f"{found.type.name}({literal(given)})"


def expanded(found: Type) -> str:
    """Return a type as Puppet prints it with the meaning of its aliases: `Name = type`."""
    return Formatter(True).type(found)


def literal(value: object) -> str:
    """Return a value as Puppet prints it within a type."""
    return Formatter().value(value)


class Formatter:
    """Writes types and values as text."""

    def __init__(self, expand: bool = False) -> None:
        self.expand = expand
        self.within: set[int] = set()
        # The name of a set whose types are shown, which goes without saying.
        self.set = ""

    def type(self, found: Type) -> str:
        """Return a type's text."""
        show = _SHOW.get(type(found))
        return found.simple_name if show is None else show(self, found)

    def value(self, value: object) -> str:
        """Return a value's text."""
        if isinstance(value, Type):
            return self.type(value)
        if isinstance(value, str):
            return quoted(value)
        if value is None or isinstance(value, bool):
            return {None: "undef", True: "true", False: "false"}[value]
        if isinstance(value, float):
            return float_text(value)
        if isinstance(value, list | tuple):
            return f"[{self.values(value)}]"
        if isinstance(value, dict):
            return self.pairs(value.items())
        if isinstance(value, Regexp):
            return regexp_text(value.source)
        return str(value) if isinstance(value, int) else self.other(value)

    def other(self, value: object) -> str:
        """Return the text of a value that is shown as a string."""
        return "default" if isinstance(value, Default) else f"'{value}'"

    def name(self, name: str) -> str:
        """Return the name of a type as it is shown within the set."""
        return name.removeprefix(f"{self.set}::") if self.set else name

    def values(self, values: Iterable[object]) -> str:
        """Return values with commas."""
        return ", ".join(map(self.value, values))

    def pairs(self, pairs: Iterable[tuple[object, object]]) -> str:
        """Return the entries of a hash in braces."""
        shown = (f"{self.value(key)} => {self.value(value)}" for key, value in pairs)
        return f"{{{', '.join(shown)}}}"

    def listed(self, name: str, values: Iterable[object]) -> str:
        """Return a name with values in brackets, without brackets if there are none."""
        shown = self.values(values)
        return f"{name}[{shown}]" if shown else name


def _limits(low: object, high: object, show: Callable[[Any], str] = str) -> list[str]:
    if low is None and high is None:
        return []
    shown = ["default" if low is None else show(low)]
    return shown if high is None else [*shown, show(high)]


def _sizes(size: IntegerType | None) -> list[str]:
    return [] if size is None else _limits(size.low, size.high)


def _bracketed(name: str, shown: list[str]) -> str:
    return f"{name}[{', '.join(shown)}]" if shown else name


def _array(form: Formatter, found: ArrayType) -> str:
    if found.size is not None and found.size.high == 0:
        return "Array[0, 0]"
    if found == ARRAY:
        return "Array"
    return _bracketed("Array", [form.type(found.element), *_sizes(found.size)])


def _hash(form: Formatter, found: HashType) -> str:
    if found.size is not None and found.size.high == 0:
        return "Hash[0, 0]"
    if found == HASH:
        return "Hash"
    shown = [form.type(found.key), form.type(found.value)]
    return _bracketed("Hash", shown + _sizes(found.size))


def _tuple(form: Formatter, found: TupleType) -> str:
    if not found.types:
        return "Tuple"
    return _bracketed("Tuple", [*map(form.type, found.types), *_sizes(found.size)])


def _struct(form: Formatter, found: StructType) -> str:
    if not found.elements:
        return "Struct"
    pairs = dict(_struct_pair(each) for each in found.elements)
    return f"Struct[{form.pairs(pairs.items())}]"


def _struct_pair(element: StructElement) -> tuple[Value, Type]:
    key, optional_value = element.key, assignable(element.value, UNDEF)
    if isinstance(key, OptionalType):
        return element.name if optional_value else key, element.value
    return NotUndefType(key) if optional_value else element.name, element.value


def _callable(form: Formatter, found: CallableType) -> str:
    if found.returns is None:
        if found.params is None:
            return "Callable"
        return f"Callable[{_parameters(form, found, found.params)}]"
    params = "" if found.params is None else _parameters(form, found, found.params)
    return f"Callable[[{params}], {form.type(found.returns)}]"


def _parameters(form: Formatter, found: CallableType, params: TupleType) -> str:
    shown = [form.type(each) for each in params.types if not isinstance(each, UnitType)]
    shown += _sizes(params.size) if params.types else ["0", "0"]
    if found.block is not None:
        shown.append(form.type(found.block))
    return ", ".join(shown)


def _contained(form: Formatter, found: Any) -> str:
    return (
        found.simple_name if found.type is None else f"{found.simple_name}[{_inner(form, found)}]"
    )


def _inner(form: Formatter, found: Any) -> str:
    return form.type(found.type)


def _optional(form: Formatter, found: OptionalType | NotUndefType) -> str:
    inner = found.type
    if inner is None or (isinstance(found, NotUndefType) and isinstance(inner, AnyType)):
        return found.simple_name
    if isinstance(inner, StringType) and inner.value is not None:
        return f"{found.simple_name}[{quoted(inner.value)}]"
    return f"{found.simple_name}[{form.type(inner)}]"


def _time(form: Formatter, found: TimestampType | TimespanType) -> str:
    if found.low is None and found.high is None:
        return found.simple_name
    shown = "default" if found.low is None else f"'{found.low}'"
    if found.high is not None and found.high != found.low:
        shown += f", '{found.high}'"
    return f"{found.simple_name}[{shown}]"


def _enum(form: Formatter, found: EnumType) -> str:
    if not found.values:
        return "Enum"
    return form.listed("Enum", [*found.values, *([True] if found.any_case else [])])


def _resource(form: Formatter, found: ResourceType) -> str:
    if found.type_name is None:
        return "Resource"
    name = capitalize_segments(found.type_name)
    return name if found.title is None else f"{name}[{form.value(found.title)}]"


def _runtime(form: Formatter, found: RuntimeType) -> str:
    if found.runtime is None and found.pattern is None:
        return "Runtime"
    runtime = "undef" if found.runtime is None else found.runtime
    return f"Runtime[{runtime}, {form.value(found.pattern)}]"


def _alias(form: Formatter, found: TypeAliasType) -> str:
    name = form.name(found.alias_name)
    if form.set and form.expand and name != found.alias_name and found.target:
        return form.type(found.target)
    if not form.expand or id(found) in form.within or name in ALIAS_NAMES or not found.target:
        return name
    form.within.add(id(found))
    shown = f"{name} = {form.type(found.target)}"
    form.within.discard(id(found))
    return shown


# The parts of an Object's description whose entries describe members.
_MEMBERS = ("attributes", "functions")


def _object(form: Formatter, found: ObjectType) -> str:
    if not form.expand:
        return form.name(found.name)
    shown = Formatter()
    shown.set = form.set
    parts = [
        f"{key} => {_members(shown, value) if key in _MEMBERS else shown.value(value)}"
        for key, value in described(found).items()
        if key != "name" or form.name(found.name) == value
    ]
    return f"Object[{{{', '.join(parts)}}}]"


def _members(form: Formatter, members: dict[str, Any]) -> str:
    shown = ", ".join(f"{quoted(name)} => {_member(form, one)}" for name, one in members.items())
    return f"{{{shown}}}"


def _member(form: Formatter, member: Type | dict[str, Any]) -> str:
    if isinstance(member, Type):
        return form.type(member)
    parts = (f"{k} => {v if k == 'kind' else form.value(v)}" for k, v in member.items())
    return f"{{{', '.join(parts)}}}"


def _parameterized(form: Formatter, found: ParameterizedObject) -> str:
    by_position = found.positional
    if by_position is None:
        return f"{found.name}[{form.pairs(found.parameters)}]"
    return f"{found.name}[{form.values(DEFAULT if x is MISSING else x for x in by_position)}]"


def _type_set(form: Formatter, found: TypeSetType) -> str:
    if not found.description:
        return "TypeSet"
    shown = Formatter(form.expand)
    shown.set = found.name
    types = (f"{name} => {shown.type(one)}" for name, one in found.types.items())
    parts = [f"{key} => {shown.value(value)}" for key, value in found.description]
    parts += [f"types => {{{', '.join(types)}}}"] if found.types else []
    return f"TypeSet[{{{', '.join(parts)}}}]"


def _uri(form: Formatter, found: URIType) -> str:
    return f"URI[{form.pairs(found.parameters)}]" if found.parameters else "URI"


_SHOW: dict[type[Type], Callable[[Formatter, Any], str]] = {
    BooleanType: lambda form, x: (
        "Boolean" if x.value is None else f"Boolean[{form.value(x.value)}]"
    ),
    IntegerType: lambda form, x: _bracketed("Integer", _limits(x.low, x.high)),
    FloatType: lambda form, x: _bracketed("Float", _limits(x.low, x.high, float_text)),
    StringType: lambda form, x: _bracketed("String", _sizes(x.size)),
    EnumType: _enum,
    RegexpType: lambda form, x: (
        "Regexp" if x.pattern is None else f"Regexp[{regexp_text(x.pattern)}]"
    ),
    PatternType: lambda form, x: _bracketed("Pattern", list(map(regexp_text, x.patterns))),
    CollectionType: lambda form, x: _bracketed("Collection", _sizes(x.size)),
    ArrayType: _array,
    HashType: _hash,
    TupleType: _tuple,
    StructType: _struct,
    CallableType: _callable,
    VariantType: lambda form, x: form.listed("Variant", x.types),
    OptionalType: _optional,
    NotUndefType: _optional,
    TypeType: _contained,
    IterableType: _contained,
    IteratorType: _contained,
    SensitiveType: lambda form, x: (
        "Sensitive" if x.type == ANY else f"Sensitive[{form.type(x.type)}]"
    ),
    InitType: lambda form, x: (
        "Init" if x.type is None else form.listed("Init", [x.type, *x.arguments])
    ),
    TimestampType: _time,
    TimespanType: _time,
    SemVerType: lambda form, x: form.listed("SemVer", x.ranges),
    URIType: _uri,
    ClassType: lambda form, x: "Class" if x.class_name is None else f"Class[{x.class_name}]",
    ResourceType: _resource,
    RuntimeType: _runtime,
    TypeAliasType: _alias,
    TypeReferenceType: lambda form, x: f"TypeReference[{quoted(x.type_string)}]",
    ObjectType: _object,
    ParameterizedObject: _parameterized,
    TypeSetType: _type_set,
}
