"""`ensure_packages`, as each release of stdlib has it."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.frontends.puppet.compiler.calls.resources import (
    defined_with_params,
    ensure_resource,
    ensure_resources,
    fail,
    hash_of,
)
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.types.model.base import ruby_class
from analyzer.model.values import Unknown, Value

DEPRECATED = (
    "deprecation. ensure_packages. This function is deprecated, please use "
    "stdlib::ensure_packages instead."
)
INSTALLED = ("present", "installed")


def ensure_packages(site: CallSite, packages: Value, given: Value = None) -> None:
    """`ensure_packages`: packages that are installed, unless they are declared so already."""
    if not isinstance(packages, dict):
        for name in packages if isinstance(packages, list) else [packages]:
            ensure_package(site, name, hash_of(site, given))
        return
    for name, own in packages.items():
        if own is None:
            fail(site, f"no implicit conversion of {ruby_class(own)} into Hash")
        ensure_package(site, name, {**hash_of(site, given), **hash_of(site, own)})


def ensure_package(site: CallSite, name: Value, given: Mapping[str, Value]) -> None:
    """Declare a package; where it is declared `present`, that is as good as installed."""
    wanted = {"ensure": "installed", **given}
    if wanted["ensure"] in INSTALLED and not isinstance(name, Unknown):
        present = defined_with_params(site, f"Package[{name}]", {"ensure": "present"})
        wanted["ensure"] = "present" if present else "installed"
    ensure_resource(site, "package", name, wanted)


def ensure_packages_9(site: CallSite, packages: Value, given: Value = None) -> None:
    """`ensure_packages` of stdlib 9.0 and 9.1: it has lost the scope of the call.

    The packages are in the main class, without tags and defaults of the calling class.

    Raises:
        EvaluationError: settings are strict, so that a deprecation is an error.
    """
    if site.compilation.strict:
        fail(site, DEPRECATED)
    top = site.compilation.top
    ensure_packages(
        CallSite(site.compilation, site.block, top, site.node, site.unit), packages, given
    )


def ensure_packages_8(site: CallSite, packages: Value, given: Value = None) -> None:
    """`ensure_packages` of stdlib 8.0 to 8.5, to which `present` and `installed` differ."""
    declare(site, packages, given, "installed", "present")


def ensure_packages_5(site: CallSite, packages: Value, given: Value = None) -> None:
    """`ensure_packages` of stdlib 5.2 to 7: packages are `present`."""
    declare(site, packages, given, "present", "installed")


def ensure_packages_4(site: CallSite, packages: Value, given: Value = None) -> None:
    """`ensure_packages` before stdlib 5.2: a package that is declared is not changed."""
    if not isinstance(packages, (dict, Unknown)):
        names = packages if isinstance(packages, list) else [packages]
        packages = [name for name in names if site.compilation.find("Package", str(name)) is None]
    declare(site, packages, given, "present", "installed")


def declare(site: CallSite, packages: Value, given: Value, usual: str, other: str) -> None:
    """Declare packages; what is given for all counts as `usual` where it is the `other` word."""
    common = {"ensure": usual, **hash_of(site, given)}
    if common["ensure"] == other:
        common["ensure"] = usual
    if isinstance(packages, dict):
        ensure_resources(site, "package", packages, common)
        return
    for name in packages if isinstance(packages, list) else [packages]:
        if not name:
            fail(site, "ensure_packages(): Empty String provided for package name")
        ensure_resource(site, "package", name, common)
