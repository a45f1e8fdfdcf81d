"""Puppet's own resource types, and those of the modules that come with its packages."""

from __future__ import annotations

from analyzer.frontends.puppet.ruby_types.ruby_type import RubyType, TitlePattern, whole_title

# The parameters and properties of the types that are part of Puppet.
ATTRIBUTES = {
    "exec": (
        "command creates cwd environment group logoutput onlyif path provider refresh "
        "refreshonly returns timeout tries try_sleep umask unless user"
    ),
    "file": (
        "backup checksum checksum_value content ctime ensure force group ignore links "
        "max_files mode mtime owner path provider purge recurse recurselimit replace "
        "selinux_ignore_defaults selrange selrole seltype seluser show_diff source "
        "source_permissions sourceselect staging_location target type validate_cmd "
        "validate_replacement"
    ),
    "filebucket": "name path port server",
    "group": (
        "allowdupe attribute_membership attributes auth_membership ensure forcelocal gid "
        "ia_load_module members name provider system"
    ),
    "notify": "message name withpath",
    "package": (
        "adminfile allow_virtual allowcdrom category command configfiles description "
        "enable_only ensure flavor install_only install_options instance mark name "
        "package_settings platform provider reinstall_on_refresh responsefile root source "
        "status uninstall_options vendor"
    ),
    "resources": "name purge unless_system_user unless_uid",
    "schedule": "name period periodmatch range repeat weekday",
    "service": (
        "binary control enable ensure flags hasrestart hasstatus logonaccount logonpassword "
        "manifest name path pattern provider restart start status stop timeout"
    ),
    "stage": "name",
    "tidy": "age backup matches max_files path recurse rmdirs size type",
    "user": (
        "allowdupe attribute_membership attributes auth_membership auths comment ensure expiry "
        "forcelocal gid groups home ia_load_module iterations key_membership keys loginclass "
        "managehome membership name password password_max_age password_min_age "
        "password_warn_days profile_membership profiles project provider purge_ssh_keys "
        "role_membership roles salt shell system uid"
    ),
    "whit": "name",
}

# Modules that the packages of puppet-agent bring along (vendor_modules). Where one of them is not
# on the modulepath it is still there for those who use such a package; its version is not known,
# and so no attribute is refused.
VENDORED = (
    *("augeas", "cron", "host", "mount", "scheduled_task", "selboolean", "selmodule"),
    *("ssh_authorized_key", "sshkey", "yumrepo", "zfs", "zone", "zpool"),
)

# What names a resource, where it is not `name` alone.
KEYS: dict[str, tuple[str, ...]] = {
    "exec": ("command",),
    "file": ("path",),
    "package": ("name", "provider", "command"),
    "sshkey": ("name", "type"),
    "tidy": ("path",),
    "zpool": ("pool",),
}

# What a title says, where it is not the value of the only key.
TITLES = {
    # The slashes at the end of a path are no part of it.
    "file": (TitlePattern(r"(?m-ix:^(/|.+:/|.*[^/])/*\Z)", ("path",)),),
    "package": whole_title(("name",)),
    "sshkey": (
        TitlePattern("(?-mix:^(.*?)@(.*)$)", ("name", "type")),
        TitlePattern("(?-mix:^([^@]+)$)", ("name",)),
    ),
}

NOT_ISOMORPHIC = frozenset({"exec", "tidy"})


def own_type(name: str, open: str = "") -> RubyType:
    """Return a type of the tables; `open` says why it may have other attributes."""
    keys = KEYS.get(name, ("name",))
    return RubyType(
        name,
        frozenset(ATTRIBUTES.get(name, "").split()),
        keys=keys,
        titles=TITLES.get(name) or whole_title(keys),
        isomorphic=name not in NOT_ISOMORPHIC,
        open=open,
    )


OWN = {name: own_type(name) for name in ATTRIBUTES}
WITH_PACKAGE = {
    name: own_type(name, "it comes with the package of puppet-agent") for name in VENDORED
}
