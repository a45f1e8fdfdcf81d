"""The names of Puppet's own resource types and those of the modules it ships with."""

from __future__ import annotations

from analyzer.model.types import COMPOSITE, NAMEVARS

NATIVE_TYPES = frozenset(
    {
        "anchor",
        "augeas",
        "computer",
        "cron",
        "exec",
        "file",
        "file_line",
        "filebucket",
        "group",
        "host",
        "k5login",
        "mailalias",
        "maillist",
        "mount",
        "notify",
        "package",
        "resources",
        "schedule",
        "scheduled_task",
        "selboolean",
        "selmodule",
        "service",
        "ssh_authorized_key",
        "sshkey",
        "stage",
        "tidy",
        "user",
        "yumrepo",
        "zfs",
        "zone",
        "zpool",
    }
)


# The parameters and properties of Puppet's own types; those of modules are not known here.
PARAMETERS: dict[str, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in {
        "Exec": (
            "command creates cwd environment group logoutput onlyif path provider refresh "
            "refreshonly returns timeout tries try_sleep umask unless user"
        ),
        "File": (
            "backup checksum checksum_value content ctime ensure force group ignore links "
            "max_files mode mtime owner path provider purge recurse recurselimit replace "
            "selinux_ignore_defaults selrange selrole seltype seluser show_diff source "
            "source_permissions sourceselect staging_location target type validate_cmd "
            "validate_replacement"
        ),
        "Filebucket": "name path port server",
        "Group": (
            "allowdupe attribute_membership attributes auth_membership ensure forcelocal gid "
            "ia_load_module members name provider system"
        ),
        "Notify": "message name withpath",
        "Package": (
            "adminfile allow_virtual allowcdrom category command configfiles description "
            "enable_only ensure flavor install_only install_options instance mark name "
            "package_settings platform provider reinstall_on_refresh responsefile root source "
            "status uninstall_options vendor"
        ),
        "Resources": "name purge unless_system_user unless_uid",
        "Schedule": "name period periodmatch range repeat weekday",
        "Service": (
            "binary control enable ensure flags hasrestart hasstatus logonaccount logonpassword "
            "manifest name path pattern provider restart start status stop timeout"
        ),
        "Stage": "name",
        "Tidy": "age backup matches max_files path recurse rmdirs size type",
        "User": (
            "allowdupe attribute_membership attributes auth_membership auths comment ensure expiry "
            "forcelocal gid groups home ia_load_module iterations key_membership keys loginclass "
            "managehome membership name password password_max_age password_min_age "
            "password_warn_days profile_membership profiles project provider purge_ssh_keys "
            "role_membership roles salt shell system uid"
        ),
    }.items()
}


def namevar(kind: str) -> str:
    """Return the parameter that a title stands for, `name` where a type has several keys."""
    if kind == "Exec":
        return "command"
    return "name" if kind in COMPOSITE else NAMEVARS.get(kind, "name")
