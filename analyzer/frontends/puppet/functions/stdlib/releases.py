"""Which releases of stdlib have the functions that we have, and which have others of that name."""
from __future__ import annotations
OF_CATALOG = frozenset(
    "assert_private defined_with_params ensure_packages ensure_resource ensure_resources "
    "get_module_path getparam is_a is_function_available private stdlib::ensure_packages "
    "stdlib::str2resource type_of validate_legacy".split()
)
def native_name(name: str, version: str) -> str:
    return name
def releases(name: str) -> str:
    return "4.25 to 9"
