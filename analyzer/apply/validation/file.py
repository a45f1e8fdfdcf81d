"""Values that the type file refuses (type/file.rb and type/file/)."""

from __future__ import annotations

import re
from urllib.parse import quote

from analyzer.apply.providers.files.modes import is_valid
from analyzer.apply.validation.checks import (
    BOOLEAN,
    DIGITS,
    SWITCH,
    Checks,
    choice,
    each,
    first_of,
    qualified,
    read_only,
)
from analyzer.apply.validation.ruby import (
    class_of,
    inspected,
    is_path,
    munging,
    no_conversion,
    no_method,
    shown,
)
from analyzer.model.resource import Resource


def without_null(name: str, value: object, resource: Resource) -> str:
    """Refuse a path that the system cannot have (type/file.rb, munge)."""
    text = shown(value)
    return munging(name, value, "path name contains null byte") if "\0" in text else ""


def content(name: str, value: object, resource: Resource) -> str:
    """Check a text that is joined to others (type/file/content.rb)."""
    return "" if isinstance(value, str) else munging(name, value, no_conversion(value))


def mode(name: str, value: object, resource: Resource) -> str:
    """Check permissions (type/file/mode.rb)."""
    if not isinstance(value, str):
        return f"The file mode specification must be a string, not '{class_of(value)}'"
    return "" if is_valid(value) else f"The file mode specification is invalid: {inspected(value)}"


def file_group(name: str, value: object, resource: Resource) -> str:
    """Check a group's name or id (type/file/group.rb)."""
    unset = value is None or value is False or value == ""
    return f"Invalid group name '{inspected(value)}'" if unset else ""


def backup(name: str, value: object, resource: Resource) -> str:
    """Check a kind of backup, the first of a list (type/file.rb)."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, (str, bool)):
        return ""
    return f"Invalid backup type {inspected(value)}"


def recurse(name: str, value: object, resource: Resource) -> str:
    """Check the recursion of a folder (type/file.rb)."""
    if isinstance(value, bool) or value in ("true", "false", "remote"):
        return ""
    return f"Invalid recurse value {inspected(value)}"


def ignore(name: str, value: object, resource: Resource) -> str:
    """Check patterns of names (type/file.rb)."""
    taken = isinstance(value, (str, list)) or value is False
    return "" if taken else "Ignore must be a string or an Array"


def source(name: str, value: object, resource: Resource) -> str:
    """Check where content comes from (type/file/source.rb)."""
    if is_path(value):
        return ""
    if not isinstance(value, str):
        text = shown(value)
        return f"Could not understand source {text}: {no_method('match', value)}"
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", value)
    if scheme is None:
        if ":" in value.partition("/")[0] or re.search(r"[\[\]]", value):
            coded = inspected(quote(value, safe=":/?#[]@!$&'()*+,;=%~"))
            return f"Could not understand source {value}: bad URI(is not URI?): {coded}"
        return f"Cannot use relative URLs '{value}'"
    if not value.startswith("/", scheme.end()):
        return f"Cannot use opaque URLs '{value}'"
    if scheme[1].lower() not in ("file", "puppet", "http", "https"):
        return f"Cannot use URLs of type '{scheme[1]}' as source for fileserving"
    return ""


DIGITS_OF = {"md5": 32, "sha1": 40, "sha224": 56, "sha256": 64, "sha384": 96, "sha512": 128}


def wrong_checksum(value: object, kind: object) -> str:
    """Return why a checksum is none of its kind (type/file.rb)."""
    one = (value[0] if value else None) if isinstance(value, list) else value
    digits = DIGITS_OF.get(str(kind).removesuffix("lite"))
    if one is None or one is False or digits is None:
        return ""
    if re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", shown(one)):
        return ""
    return f"Checksum value '{shown(one)}' is not a valid checksum type {kind}"


KINDS_OF_FILES = ("absent", "file", "present", "directory", "link")

FILE: Checks = {
    "path": first_of(qualified, without_null),
    "ensure": each(choice(*KINDS_OF_FILES, also=("false",), patterns=(".",))),
    "content": each(content),
    "target": each(choice("notlink", patterns=(".",))),
    "group": each(file_group),
    "mode": each(mode),
    "type": each(read_only),
    "ctime": each(read_only),
    "mtime": each(read_only),
    "backup": backup,
    "recurse": recurse,
    "recurselimit": DIGITS,
    "max_files": choice(patterns=("^[0-9]+$", "^-1$")),
    "replace": BOOLEAN,
    "force": BOOLEAN,
    "ignore": ignore,
    "links": choice("follow", "manage"),
    "purge": BOOLEAN,
    "sourceselect": choice("first", "all"),
    "show_diff": BOOLEAN,
    "staging_location": qualified,
    "source": each(source),
    "source_permissions": choice("use", "use_when_creating", "ignore"),
    "selinux_ignore_defaults": SWITCH,
}
