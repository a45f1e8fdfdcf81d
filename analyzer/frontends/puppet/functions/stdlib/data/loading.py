"""YAML and JSON from text and from files: parseyaml, loadyaml, loadjson, load_module_metadata."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.functions.registry import Call, UndecidedCall
from analyzer.frontends.puppet.functions.stdlib.api import legacy
from analyzer.frontends.puppet.functions.stdlib.data.json import parse_pson
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault, ParseFault, no_method, text_of
from analyzer.model.values import Unknown, Value

USAGE = "Wrong number of arguments. 1 or 2 arguments should be provided."
REMOTE = ("http://", "https://")


def truthy(value: object) -> bool:
    """Return whether Ruby takes a value for true."""
    return value is not None and value is not False


def read_yaml(text: object, file: str = "<unknown>", *, safe: bool = False) -> Value:
    """Return the value of YAML; `safe` with what aliases stand for, and without symbols.

    What is not safe is `YAML.load` of Psych 4, the Ruby of Puppet 8.
    """
    import yaml

    from analyzer.formats.yaml_reader import YamlError, load

    text = text_of(text)
    try:
        value = load(text, file)
        if safe:
            refuse_symbols(value)
        elif "*" in text:
            refuse_alias(text)
    except YamlError as error:
        # Psych says of no file that a class is not allowed.
        raise Fault(str(error).replace(f"({file}): Tried to load", "Tried to load")) from None
    except yaml.YAMLError as error:
        raise Fault(str(error)) from None
    return value


def refuse_alias(text: str) -> None:
    """Refuse references to nodes, which `YAML.load` does not follow."""
    import yaml

    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        if isinstance(event, yaml.AliasEvent):
            raise Fault(f"Unknown alias: {event.anchor}")


def refuse_symbols(value: object) -> None:
    """Refuse symbols, which `YAML.safe_load` does not make."""
    from analyzer.formats.yaml_scalars import RubySymbol
    from analyzer.model.values import Default

    if isinstance(value, RubySymbol | Default):
        raise Fault("Tried to load unspecified class: Symbol")
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        for one in value:
            refuse_symbols(one)


def or_default(values: tuple[object, ...], read: Callable[[object], object]) -> Value:
    """Read the first argument; the second is the result if it is invalid or empty."""
    if not values:
        raise Fault(USAGE)
    default = values[1] if len(values) > 1 else None
    try:
        found = read(values[0])
    except Fault:
        if truthy(default):
            return default
        raise
    return found if truthy(found) else default


@legacy("parseyaml")
def parseyaml(call: Call, *values: object) -> Value:
    """Return the value of YAML; the second argument if it is wrong or nothing."""
    return or_default(values, read_yaml)


@legacy("loadyaml", -2)
def loadyaml(call: Call, *values: object) -> Value:
    """Return the value of a file of YAML."""
    return load(call, values, lambda text, path: read_yaml(text, path, safe=True))


@legacy("loadyaml@4.25", -2)
def loadyaml_without_aliases(call: Call, *values: object) -> Value:
    """Return the value of a file of YAML, as releases before 9.1 read it."""
    return load(call, values, read_yaml)


@legacy("loadjson", -2)
def loadjson(call: Call, *values: object) -> Value:
    """Return the value of a file of JSON."""
    return load(call, values, lambda text, path: parse_pson(text))


def load(call: Call, values: tuple[object, ...], read: Callable[[str, str], object]) -> Value:
    """Return the value of a file; the second argument if it is not there, wrong or nothing."""

    def read_file(path: object) -> Value:
        if not isinstance(path, str):
            no_method("start_with?", path)
        if path.startswith(REMOTE):
            raise UndecidedCall(Unknown(f"the contents of {path}"))
        found = call.files.find(path) if path.startswith("/") else None
        if found is None:
            call.warn(f"Can't load '{path}' File does not exist!")
            return None
        return read(call.files.read(found).decode("utf-8", "surrogateescape"), path)

    return or_default(values, read_file)


@legacy("load_module_metadata")
def load_module_metadata(call: Call, *values: object) -> Value:
    """Return the content of a module's metadata.json."""
    if len(values) not in (1, 2):
        raise ParseFault("load_module_metadata(): Wrong number of arguments, expects one or two")
    folder = call.call("get_module_path", values[0])
    if isinstance(folder, Unknown):
        return folder
    found = call.files.find(f"{folder}/metadata.json")
    if found is not None:
        return parse_pson(call.files.read(found).decode("utf-8", "surrogateescape"))
    if len(values) > 1 and truthy(values[1]):
        return {}
    raise ParseFault(f"load_module_metadata(): No metadata.json file for module {values[0]}")
