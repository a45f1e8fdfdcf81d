"""Values that the types user, group and service refuse."""

from __future__ import annotations

import re

from analyzer.apply.validation.checks import (
    BOOLEAN,
    ENSURE,
    MEMBERSHIP,
    SWITCH,
    Check,
    Checks,
    answers,
    choice,
    coerced,
    each,
    first_of,
    splits,
    whole_number,
)
from analyzer.apply.validation.ruby import (
    class_of,
    inspected,
    is_path,
    no_method,
    shown,
    validating,
)
from analyzer.model.resource import Resource


def password(name: str, value: object, resource: Resource) -> str:
    """Check a hash of a password (type/user.rb)."""
    colon = isinstance(value, str) and ":" in value
    return "Passwords cannot include ':'" if colon else ""


def days(words: str) -> Check:
    """Return the check of a number of days (type/user.rb)."""

    def check(name: str, value: object, resource: Resource) -> str:
        fits = re.search(r"^-?\d+$", shown(value), re.MULTILINE)
        return "" if fits else f"Password {words} must be provided as a number."

    return check


def groups(name: str, value: object, resource: Resource) -> str:
    """Check the name of a group (type/user.rb)."""
    if isinstance(value, str) and re.search(r"^\d+$", value, re.MULTILINE):
        return "Group names must be provided, not GID numbers."
    if isinstance(value, str) and "," in value:
        return "Group names must be provided as an array, not a comma-separated list."
    if value in ("", {}, []):
        return (
            'Group names must not be empty. If you want to specify "no groups" pass an empty array'
        )
    return ""


def expiry(name: str, value: object, resource: Resource) -> str:
    """Check a date (type/user.rb)."""
    if not isinstance(value, str):
        return validating(name, no_method("intern", value))
    if value == "absent" or re.search(r"^\d{4}-\d{2}-\d{2}$", value, re.MULTILINE):
        return ""
    return 'Expiry dates must be YYYY-MM-DD or the string "absent"'


def key_files(name: str, value: object, resource: Resource) -> str:
    """Check which files of keys are purged (type/user.rb)."""
    if shown(value) in ("true", "false"):
        return ""
    if not isinstance(value, (str, list)):
        return f"{name} must be true, false, or an array of file names, not {inspected(value)}"
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, str):
            return f"Each entry for {name} must be a string, not a {class_of(one)}"
        if not is_path(one) and not re.search(r"^~/|^%h/", one, re.MULTILINE):
            return f"Paths to keyfiles must be absolute, not {one}"
    return ""


def group_id(name: str, value: object, resource: Resource) -> str:
    """Check the number of a group (type/group.rb)."""
    if isinstance(value, str) and not re.search(r"^[-0-9]+$", value, re.MULTILINE):
        return f"Invalid GID {value}"
    return whole_number(name, value, resource)


USER: Checks = {
    "ensure": each(choice("present", "absent", "role")),
    "uid": each(whole_number),
    "gid": each(whole_number),
    "password": each(password),
    "password_min_age": each(days("minimum age")),
    "password_max_age": each(days("maximum age")),
    "password_warn_days": each(days("warning days")),
    "groups": each(first_of(answers("include?"), groups)),
    "expiry": each(expiry),
    "membership": MEMBERSHIP,
    "system": BOOLEAN,
    "allowdupe": BOOLEAN,
    "managehome": coerced,
    "role_membership": MEMBERSHIP,
    "auth_membership": MEMBERSHIP,
    "profile_membership": MEMBERSHIP,
    "key_membership": MEMBERSHIP,
    "attribute_membership": MEMBERSHIP,
    "purge_ssh_keys": key_files,
}
GROUP: Checks = {
    "ensure": ENSURE,
    "gid": each(group_id),
    "auth_membership": BOOLEAN,
    "allowdupe": BOOLEAN,
    "attribute_membership": MEMBERSHIP,
    "system": BOOLEAN,
}
SERVICE: Checks = {
    "ensure": each(choice("stopped", "running", also=("true", "false"))),
    "enable": each(choice("true", "false", "manual", "mask", "delayed")),
    "hasstatus": SWITCH,
    "path": splits,
    "hasrestart": SWITCH,
}
