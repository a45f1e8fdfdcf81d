"""In which releases of a module its functions are what ours are, and where others stand for them.

A row is a release and the name of our function until then (not included); a last row without a
release holds from then on, and after one with a release our function of the same name. No name:
none of ours is the same. `NAME@RELEASE` is one of ours for some releases since that one. What a
release does not have at all needs no row: there is no file for it.
"""

from __future__ import annotations

STDLIB, OPENSTACKLIB = "puppetlabs-stdlib", "openstack-openstacklib"
Rows = tuple[tuple[str, str], ...]

# The releases from which on a module's functions were compared with ours.
FIRST = {STDLIB: "4.25", OPENSTACKLIB: "7.0"}

CHANGED: dict[str, dict[str, Rows]] = {
    STDLIB: {
        "any2array": (("5.0", "any2array@4.25"),),
        "delete_undef_values": (("5.1", "delete_undef_values@4.25"),),
        "dirname": (("5.0", "dirname@4.25"),),
        "ensure_packages": (
            ("5.2", "ensure_packages@4.25"),
            ("8.0", "ensure_packages@5.2"),
            ("8.3", "ensure_packages@8.0"),
            ("8.6", "ensure_packages@8.3"),
            ("9.0", "ensure_packages"),
            ("9.2", "ensure_packages@9.0"),
        ),
        "fqdn_rand_string": (("9.0", "fqdn_rand_string"), ("", "stdlib::fqdn_rand_string")),
        "fqdn_rotate": (("9.0", "fqdn_rotate"), ("9.4", ""), ("", "stdlib::fqdn_rotate")),
        "has_interface_with": (("9.0", "has_interface_with"), ("", "")),
        "loadyaml": (("9.1", "loadyaml@4.25"),),
        "merge": (("6.0", "merge@4.25"),),
        "os_version_gte": (("8.1", "os_version_gte@5.2"),),
        "reject": (("9.0", "reject"), ("", "reject@9.0")),
        "seeded_rand": (("6.6", "seeded_rand@4.25"),),
        "stdlib::end_with": (("6.6", "stdlib::end_with@6.3"),),
        "stdlib::start_with": (("6.6", "stdlib::start_with@6.3"),),
        "to_json_pretty": (("6.2", "to_json_pretty@4.25"),),
        "to_python": (("8.2", ""),),
        "to_ruby": (("8.2", ""),),
        "to_yaml": (("6.6", "to_yaml@4.25"),),
        "validate_domain_name": (("9.0", "validate_domain_name"), ("", "")),
        "validate_email_address": (("9.0", "validate_email_address"), ("", "")),
        "validate_legacy": (("9.0", "validate_legacy@4.25"),),
    },
    OPENSTACKLIB: {
        "normalize_ip_for_uri": (("14.2", ""),),
    },
}


def ours(module: str, version: str, name: str) -> str:
    """Return which of our functions is that of a module's release; empty if none is."""
    release = numbers(version)
    if not release or release < numbers(FIRST[module]):
        return ""
    for before, same in CHANGED[module].get(name, ()):
        if not before or release < numbers(before):
            return same
    return name


def where_ours(module: str, name: str) -> str:
    """Return in words which releases have the function that we have."""
    ranges: list[tuple[str, str]] = []
    since = FIRST[module]
    rows = CHANGED[module].get(name, ())
    for before, same in rows if rows and not rows[-1][0] else (*rows, ("", name)):
        if same and ranges and ranges[-1][1] == since:
            ranges[-1] = (ranges[-1][0], before)
        elif same:
            ranges.append((since, before))
        since = before
    return " and ".join(f"{one} to {end}" if end else f"{one} on" for one, end in ranges)


def numbers(version: str) -> tuple[int, ...]:
    """Return the first two numbers of a version, none if it has no such form."""
    parts = version.split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdecimal, parts)) else ()
