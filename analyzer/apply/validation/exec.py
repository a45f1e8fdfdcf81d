"""Values that the type exec refuses (type/exec.rb)."""

from __future__ import annotations

import re

from analyzer.apply.validation.checks import (
    SWITCH,
    Checks,
    choice,
    each,
)
from analyzer.apply.validation.ruby import (
    FLOAT,
    WholeMessage,
    class_of,
    inspected,
    is_path,
    munging,
    no_conversion,
    no_method,
    shown,
    to_i,
)
from analyzer.model.resource import Resource
from analyzer.model.values import flat

NOT_QUALIFIED = "is not qualified and no path was specified. Please qualify the command or"


def unqualified(command: object, resource: Resource) -> str:
    """Return why a command is refused for its program (provider/exec.rb)."""
    if not isinstance(command, (str, list)):
        return WholeMessage(no_conversion(command))
    if isinstance(command, list):
        program = command[0] if command else ""
    else:
        quoted = re.search(r"""^"([^"]+)"|^'([^']+)'""", command, re.MULTILINE)
        program = (quoted[1] or quoted[2]) if quoted else command.lstrip(" ").partition(" ")[0]
        if not quoted and command.startswith(" "):
            program = ""
    if is_path(program) or resource.parameters.get("path") is not None:
        return ""
    if resource.parameters.get("provider", "posix") != "posix":
        return ""
    return f"'{shown(program)}' {NOT_QUALIFIED} specify a path."


def command(name: str, value: object, resource: Resource) -> str:
    """Check the kind of a command (type/exec.rb)."""
    if isinstance(value, (str, list)):
        return ""
    return f"Command must be a String or Array<String>, got value of class {class_of(value)}"


def refresh(name: str, value: object, resource: Resource) -> str:
    """Check the command of a refresh."""
    return unqualified(value, resource)


def condition(name: str, value: object, resource: Resource) -> str:
    """Check the commands of `unless` and `onlyif`."""
    return unqualified(value, resource)


def search_path(name: str, value: object, resource: Resource) -> str:
    """Check the path of an exec; its munge fails outside of Puppet's care."""
    for one in flat([value]):
        if not isinstance(one, str):
            return WholeMessage(f"Could not set path on exec: {no_method('split', one)}")
    return ""


def exec_path(name: str, value: object, resource: Resource) -> str:
    """Check a path (parameter/path.rb)."""
    if isinstance(value, list):
        return f"{name} only accepts a single path, not an array of paths"
    return creates(name, value, resource)


def creates(name: str, value: object, resource: Resource) -> str:
    """Check one of several paths (parameter/path.rb)."""
    return "" if is_path(value) or value == {} else f"{name} must be a fully qualified path"


def environment(name: str, value: object, resource: Resource) -> str:
    """Check a setting of a variable (type/exec.rb)."""
    if isinstance(value, str) and re.search(r"\w+=", value):
        return ""
    return f"Invalid environment setting '{shown(value)}'"


def umask(name: str, value: object, resource: Resource) -> str:
    """Check an octal mask (type/exec.rb)."""
    if isinstance(value, str) and re.search(r"^0?[0-7]{1,4}$", value, re.MULTILINE):
        return ""
    return f"The umask specification is invalid: {inspected(value)}"


def timeout(name: str, value: object, resource: Resource) -> str:
    """Check a number of seconds, the first of a list (type/exec.rb)."""
    one = value
    if isinstance(value, list):
        one, value = (value[0], value[1:]) if value else (None, value)
    if isinstance(one, str):
        return "" if FLOAT.match(one) else munging(name, value, "The timeout must be a number.")
    if isinstance(one, (int, float)) and not isinstance(one, bool):
        return ""
    plain = one is None or isinstance(one, bool)
    kind = inspected(one) if plain else class_of(one)
    return munging(name, value, f"can't convert {kind} into Float")


def not_below(name: str, value: object, least: int, words: str) -> str:
    """Return why a value of any class is too small."""
    if isinstance(value, dict):
        return munging(name, value, "no implicit conversion of Integer into Hash")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return munging(name, value, no_method("<", value))
    return munging(name, value, words) if value < least else ""


def tries(name: str, value: object, resource: Resource) -> str:
    """Check how often a command is tried (type/exec.rb)."""
    number = value
    if isinstance(value, str):
        if not re.search(r"^\d+$", value, re.MULTILINE):
            return munging(name, value, "Tries must be an integer")
        number = to_i(value)
    found = not_below(name, number, 1, "Tries must be an integer >= 1")
    return found and found.replace(inspected(number), inspected(value), 1)


def try_sleep(name: str, value: object, resource: Resource) -> str:
    """Check the seconds between two tries (type/exec.rb)."""
    number = value
    if isinstance(value, str):
        if not re.search(r"^[-\d.]+$", value, re.MULTILINE):
            return munging(name, value, "try_sleep must be a number")
        if not FLOAT.match(value):
            return munging(name, value, f"invalid value for Float(): {inspected(value)}")
        number = float(value)
    found = not_below(name, number, 0, "try_sleep cannot be a negative number")
    return found and munging(name, value, found.partition(f"class {name}: ")[2])


EXEC: Checks = {
    "command": command,
    "path": search_path,
    "cwd": exec_path,
    "logoutput": choice("true", "false", "on_failure"),
    "refresh": refresh,
    "environment": each(environment),
    "umask": umask,
    "timeout": timeout,
    "tries": tries,
    "try_sleep": try_sleep,
    "refreshonly": SWITCH,
    "creates": each(creates),
    "unless": each(condition),
    "onlyif": each(condition),
}
