"""Values that types of Puppet's core modules refuse: cron, host, mount, keys of SSH, aliases."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from analyzer.apply.validation.checks import (
    BOOLEAN,
    ENSURE,
    SWITCH,
    Check,
    Checks,
    answers,
    choice,
    coerced,
    each,
    first_of,
    qualified,
    without,
)
from analyzer.apply.validation.ruby import (
    WholeMessage,
    inspected,
    munging,
    no_conversion,
    no_method,
    shown,
    to_i,
    validating,
)
from analyzer.model.resource import Resource

# ------------------------------------------------------------------------ cron

SPECIALS = frozenset(
    ("reboot", "yearly", "annually", "monthly", "weekly", "daily", "midnight", "hourly", "absent")
)
DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
STEPS = re.compile(r"^(\*/[0-9]+|[0-9]+-[0-9]+(/[0-9]+)?)$", re.MULTILINE)


def cron_command(name: str, value: object, resource: Resource) -> str:
    """Check a command; its munge fails outside of Puppet's care (type/cron.rb)."""
    if isinstance(value, str):
        return ""
    return WholeMessage(f"Could not set command on cron: {no_method('strip', value)}")


def special(name: str, value: object, resource: Resource) -> str:
    """Check a named moment."""
    known = isinstance(value, str) and value in SPECIALS
    return "" if known else f"Invalid special schedule {inspected(value)}"


def moment(lower: int, upper: int, words: tuple[str, ...] = ()) -> Check:
    """Return the check of a part of a time: a number, a range, a step or one of `words`."""
    named = frozenset((*words, *(word[:3] for word in words)))

    def check(name: str, value: object, resource: Resource) -> str:
        text = shown(value)
        if value in ("absent", "*") or STEPS.search(text):
            return ""
        number = isinstance(value, int) and not isinstance(value, bool)
        if number or (isinstance(value, str) and re.search(r"^\d+$", value, re.MULTILINE)):
            fits = lower <= to_i(text) <= upper
        elif words and not isinstance(value, str):
            return munging(name, value, no_method("downcase", value))
        else:
            fits = text.lower() in named
        return "" if fits else munging(name, value, f"{text} is not a valid {name}")

    return check


def setting(name: str, value: object, resource: Resource) -> str:
    """Check a setting of a variable."""
    fits = value == "absent" or (isinstance(value, str) and re.search(r"^\s*(\w+)\s*=", value))
    return "" if fits else f"Invalid environment setting {inspected(value)}"


CRON: Checks = {
    "ensure": ENSURE,
    "command": each(cron_command),
    "special": each(special),
    "minute": each(moment(0, 59)),
    "hour": each(moment(0, 23)),
    "weekday": each(moment(0, 7, DAYS)),
    "month": each(moment(1, 12, MONTHS)),
    "monthday": each(moment(1, 31)),
    "environment": each(setting),
}

# ------------------------------------------------------------------------ host

HOST_PART = re.compile(r"^(\w+|\w[\w-]+\w)$", re.MULTILINE | re.ASCII)


def host_name(name: str, value: object, resource: Resource) -> str:
    """Check the name of a host (type/host.rb)."""
    if not isinstance(value, str):
        return validating(name, no_method("split", value))
    if not all(HOST_PART.search(part) for part in value.rstrip(".").split(".") if value):
        return "Invalid host name"
    newline = "\n" in value or "\r" in value
    return "Hostname cannot include newline" if newline else ""


def address(name: str, value: object, resource: Resource) -> str:
    """Check an address of the Internet protocols."""
    if not isinstance(value, str):
        return validating(name, no_method("match", value))
    for kind in (IPv4Address, IPv6Address):
        try:
            kind(value)
        except AddressValueError:
            continue
        return ""
    return f"Invalid IP address {inspected(value)}"


NO_ALIAS = "Host aliases cannot be an empty string. Use an empty array to delete all host_aliases "

HOST: Checks = {
    "name": host_name,
    "ensure": ENSURE,
    "ip": each(address),
    "host_aliases": each(
        first_of(
            without(r"\s", "Host aliases cannot include whitespace", convert=True),
            without(r"^\s*$", NO_ALIAS),
        )
    ),
    "comment": each(
        first_of(answers("include?"), without(r"[\n\r]", "Comment cannot include newline"))
    ),
}

# ------------------------------------------------------------------------ mount


def mount_name(name: str, value: object, resource: Resource) -> str:
    """Check a mount point (type/mount.rb)."""
    return "" if isinstance(value, str) else munging(name, value, no_method("gsub", value))


def no_space(word: str) -> Check:
    """Return the check of a text without white space."""
    return without(r"\s", word + " must not contain whitespace: {}")


def filled(name: str, value: object, resource: Resource) -> str:
    """Check that a value is not empty."""
    return f"{name} must not be an empty string" if value in ("", [], {}) else ""


MOUNT: Checks = {
    "name": mount_name,
    "ensure": each(choice("defined", "unmounted", "absent", "mounted", also=("present",))),
    "blockdevice": each(no_space("blockdevice")),
    "fstype": each(first_of(no_space("fstype"), answers("empty?"), filled)),
    "options": each(first_of(no_space("options"), answers("empty?"), filled)),
    "atboot": each(coerced),
    "dump": each(choice(patterns=("(0|1)",))),
    "remounts": SWITCH,
}

# ------------------------------------------------------------------------ keys, mail

LONG_KINDS = (
    *("ssh-dss", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"),
    *("ssh-ed25519", "sk-ecdsa-sha2-nistp256@openssh.com", "sk-ssh-ed25519@openssh.com"),
    *("ssh-rsa-cert-v01@openssh.com", "ssh-ed25519-cert-v01@openssh.com"),
    *("ssh-dss-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com"),
    *("ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com"),
)
SHORT_KINDS = ("dsa", "rsa", "ed25519", "ecdsa-sk", "ed25519-sk")


def key(name: str, value: object, resource: Resource) -> str:
    """Check a key (type/ssh_authorized_key.rb)."""
    if not isinstance(value, str):
        return WholeMessage(no_conversion(value))
    return f"Key must not contain whitespace: {value}" if re.search(r"\s", value) else ""


def option(name: str, value: object, resource: Resource) -> str:
    """Check an option of a key."""
    if isinstance(value, str) and re.search(r'^[-a-z0-9A-Z_]+(?:=".*?")?$', value, re.MULTILINE):
        return ""
    return (
        f"Option {shown(value)} is not valid. A single option must either be of the form 'option' "
        "or 'option=\"value\"'. Multiple options must be provided as an array"
    )


AUTHORIZED_KEY: Checks = {
    "ensure": ENSURE,
    "type": each(choice(*LONG_KINDS, also=SHORT_KINDS)),
    "key": each(key),
    "options": each(option),
    "drop_privileges": BOOLEAN,
}
MAILALIAS: Checks = {"ensure": ENSURE, "file": each(qualified)}
