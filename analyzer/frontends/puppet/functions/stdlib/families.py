"""The modules of this package that hold the functions of puppetlabs-stdlib.

Functions that Puppet has itself (`abs`, `flatten`, `unique` and others) are not here: Puppet finds
its own ones first.
"""

from __future__ import annotations

from importlib import import_module

from analyzer.frontends.puppet.functions.registry import FUNCTIONS, Dispatch

MODULES: dict[str, str] = {
    "checks.addresses": "enclose_ipv6 stdlib::ip_in_range",
    "arrays": (
        "any2array concat count delete_at difference hash intersection member pick pick_default "
        "prefix reverse suffix union values_at zip"
    ),
    "randoms": (
        "fqdn_rand_string fqdn_rotate fqdn_uuid seeded_rand seeded_rand_string "
        "stdlib::fqdn_rand_string stdlib::fqdn_rotate stdlib::seeded_rand "
        "stdlib::seeded_rand_string"
    ),
    "deleting": "delete delete_regex grep reject",
    "strings.digests": "pw_hash stdlib::crc32 stdlib::sha256 str2saltedpbkdf2 str2saltedsha512",
    "strings.escapes": (
        "base64 batch_escape powershell_escape regexpescape shell_escape shell_join shell_split "
        "stdlib::batch_escape stdlib::powershell_escape stdlib::shell_escape stdlib::xml_encode "
        "uriescape"
    ),
    "facts": (
        "fact has_interface_with has_ip_address has_ip_network os_version_gte "
        "stdlib::os_version_gte"
    ),
    "hashes": (
        "deep_merge delete_undef_values delete_values dig44 has_key join_keys_to_values merge "
        "stdlib::merge stdlib::nested_values try_get_value"
    ),
    "data.hocon": "parsehocon stdlib::parsehocon",
    "data.json": (
        "parsejson parsepson stdlib::parsepson stdlib::to_json stdlib::to_json_pretty to_json "
        "to_json_pretty"
    ),
    "data.literals": (
        "stdlib::to_python stdlib::to_ruby stdlib::to_toml to_python to_ruby to_toml"
    ),
    "data.loading": "load_module_metadata loadjson loadyaml loadyaml@4.25 parseyaml",
    "numbers": "clamp convert_base range to_bytes",
    "other": (
        "deprecation pry shuffle sprintf_hash stdlib::rewrap_sensitive_data stdlib::sort_by time"
    ),
    "checks.predicates": (
        "is_absolute_path is_array is_bool is_domain_name is_email_address is_float is_hash "
        "is_integer is_ip_address is_ipv4_address is_ipv6_address is_mac_address is_numeric "
        "is_string"
    ),
    "releases": (
        "any2array@4.25 delete_undef_values@4.25 dirname@4.25 merge@4.25 os_version_gte@5.2 "
        "reject@9.0 seeded_rand@4.25 stdlib::end_with@6.3 stdlib::start_with@6.3 "
        "to_json_pretty@4.25 to_yaml@4.25"
    ),
    "strings.text": (
        "basename dirname dos2unix squeeze stdlib::end_with stdlib::ensure stdlib::extname "
        "stdlib::start_with swapcase unix2dos"
    ),
    "booleans": "any2bool bool2num bool2str num2bool str2bool",
    "checks.validations": (
        "validate_absolute_path validate_array validate_bool validate_domain_name "
        "validate_email_address validate_hash validate_integer validate_ip_address "
        "validate_ipv4_address validate_ipv6_address validate_numeric validate_re "
        "validate_slength validate_string"
    ),
    "data.yaml": "stdlib::to_yaml to_yaml",
}

# Functions of the compiler: they work on the catalog or ask the modules.
ON_CATALOG = (
    "assert_private defined_with_params ensure_packages ensure_resource ensure_resources "
    "get_module_path getparam is_a is_function_available private stdlib::ensure_packages "
    "stdlib::has_function stdlib::str2resource stdlib::type_of type_of validate_legacy"
)
OF_CATALOG = frozenset(ON_CATALOG.split())
FAMILIES: dict[str, str] = {
    name: f"analyzer.frontends.puppet.functions.stdlib.{module}"
    for module, names in MODULES.items()
    for name in names.split()
}


def find(name: str) -> list[Dispatch]:
    """Return the rows of one of stdlib's functions, none if it is not here."""
    module = FAMILIES.get(name)
    if module is None:
        return []
    import_module(module)
    return FUNCTIONS[name]
