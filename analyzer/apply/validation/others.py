"""Values that schedule, tidy, package and the smaller types of Puppet refuse."""

from __future__ import annotations

import re
from typing import Any

from analyzer.apply.validation.checks import (
    BOOLEAN,
    DIGITS,
    LOGLEVEL,
    SWITCH,
    Checks,
    choice,
    coerced,
    each,
)
from analyzer.apply.validation.ruby import (
    class_of,
    inspected,
    is_path,
    munging,
    no_conversion,
    no_integer,
    no_method,
    shown,
    to_i,
)
from analyzer.model.resource import Resource

WEEKDAY = re.compile(
    r"^[0-6]$|^(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?$",
    re.IGNORECASE | re.MULTILINE,
)
RANGE = re.compile(r"\d+(:\d+){0,2}\s*-\s*\d+(:\d+){0,2}")


def time_range(name: str, value: Any, resource: Resource) -> str:
    """Check the hours of a schedule (type/schedule.rb)."""
    values = value if isinstance(value, list) else [value]
    for one in values:
        if not isinstance(one, str) or not RANGE.search(one):
            return f"Invalid range value '{shown(one)}'"
    for one in values:
        why = range_problem(one)
        if why:
            return why if why.startswith("Invalid range") else munging(name, value, why)
    return ""


def range_problem(text: str) -> str:
    """Return the problem of a range's numbers."""
    ends = [[to_i(part) for part in end.split(":")] for end in re.split(r"\s*-\s*", text)]
    while ends and ends[-1] == [0] and text.rstrip().endswith("-"):
        ends.pop()
    if len(ends) != 2:
        return f"Invalid range {text}"
    for place, word, most in ((0, "hour", 23), (1, "minute", 59)):
        for end in ends:
            number = [*end, 0, 0, 0][place]
            if not 0 <= number <= most:
                return f"Invalid {word} '{number}'"
    return ""


def repeat(name: str, value: object, resource: Resource) -> str:
    """Check how often a schedule lets a resource be applied."""
    if isinstance(value, bool):
        return "Repeat must be a number"
    fits = isinstance(value, int) or (
        isinstance(value, str) and re.search(r"^\d+$", value, re.MULTILINE)
    )
    if not fits:
        return "Repeat must be a number"
    why = no_integer(value) if isinstance(value, str) else ""
    return munging(name, value, why) if why else ""


def weekday(name: str, value: object, resource: Resource) -> str:
    """Check the days of a schedule."""
    for one in value if isinstance(value, list) else [value]:
        number = isinstance(one, int) and not isinstance(one, bool) and 0 <= one <= 6
        if not number and not (isinstance(one, str) and WEEKDAY.search(one)):
            return f"{shown(one)} is not a valid day of the week"
    return ""


def tidy_path(name: str, value: object, resource: Resource) -> str:
    """Check the folder that is tidied (type/tidy.rb)."""
    return "" if isinstance(value, str) else munging(name, value, no_conversion(value))


def tidy_recurse(name: str, value: object, resource: Resource) -> str:
    """Check how deep a folder is tidied."""
    number = isinstance(value, int) or shown(value) in ("true", "false", "inf")
    if number or (isinstance(value, str) and re.search(r"^\d+$", value, re.MULTILINE)):
        return ""
    return munging(name, value, f"Invalid recurse value {inspected(value)}")


def matches(name: str, value: object, resource: Resource) -> str:
    """Check that patterns go with a recursion."""
    recurse = resource.parameters.get("recurse")
    if shown(recurse) not in ("0", "false", ""):
        return ""
    return "Tidy can't use matches with recurse 0, false, or undef"


def age(name: str, value: object, resource: Resource) -> str:
    """Check the age of files; the last of several digits counts as the unit."""
    return amount("age", "smhdw", value)


def size(name: str, value: object, resource: Resource) -> str:
    """Check the size of files; for other texts Puppet's message names an unknown variable."""
    why = amount("size", "bkmgt", value)
    if why.startswith("Invalid tidy"):
        return munging(name, value, "undefined local variable or method `age'")
    return why


def amount(word: str, units: str, value: object) -> str:
    """Return the problem of a number and its unit."""
    found = isinstance(value, str) and re.search(r"^([0-9]+)(\w)\w*$", value, re.MULTILINE)
    if found:
        unit = found[2].lower()
        return "" if unit in units else f"Invalid {word} unit '{unit}'"
    if isinstance(value, str) and re.search(r"^[0-9]+$", value, re.MULTILINE):
        return ""
    return f"Invalid tidy {word} {shown(value)}"


def package_name(name: str, value: object, resource: Resource) -> str:
    """Check the name of a package (type/package.rb)."""
    return "" if isinstance(value, str) else f"Name must be a String not {class_of(value)}"


def options(name: str, value: object, resource: Resource) -> str:
    """Check the options of a package's manager (provider/package.rb)."""
    values = value if isinstance(value, list) else [value]
    for one in values:
        if not isinstance(one, (str, dict)):
            return "Expected either a string or hash of options"
        for part in one.values() if isinstance(one, dict) else ():
            if not isinstance(part, (str, list, dict)):
                return munging(name, value, no_method("include?", part))
    return ""


def bucket(name: str, value: object, resource: Resource) -> str:
    """Check the folder of a filebucket (type/filebucket.rb)."""
    if isinstance(value, list):
        return "You can only have one filebucket path"
    if isinstance(value, str) and not is_path(value):
        return "Filebucket paths must be absolute"
    return ""


SCHEDULE: Checks = {
    "range": time_range,
    "periodmatch": choice("number", "distance"),
    "period": choice("hourly", "daily", "weekly", "monthly", "never"),
    "repeat": repeat,
    "weekday": weekday,
}
TIDY: Checks = {
    "path": tidy_path,
    "recurse": tidy_recurse,
    "max_files": DIGITS,
    "matches": matches,
    "age": age,
    "size": size,
    "type": choice("atime", "mtime", "ctime"),
    "rmdirs": BOOLEAN,
}
PACKAGE: Checks = {
    "name": package_name,
    "ensure": each(
        choice(
            *("present", "absent", "purged", "disabled", "latest"),
            also=("installed",),
            patterns=(".",),
        )
    ),
    "mark": each(choice("hold", "none")),
    "configfiles": choice("keep", "replace"),
    "allowcdrom": SWITCH,
    "enable_only": coerced,
    "install_options": options,
    "allow_virtual": BOOLEAN,
    "reinstall_on_refresh": SWITCH,
}
NOTIFY: Checks = {"withpath": SWITCH}
FILEBUCKET: Checks = {"path": bucket}
METAPARAMETERS: Checks = {"noop": SWITCH, "loglevel": LOGLEVEL}
