"""The providers by type; each is loaded when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from analyzer.apply.provider import Provider
from analyzer.apply.providers.files.sources import FileSources

from .guard import GuardedGenerator, GuardedProvider

# Type to module and class.
PROVIDERS: dict[str, tuple[str, str]] = {
    "Augeas": ("refused", "RefusedProvider"),
    "Concat_file": ("files.concat", "ConcatProvider"),
    "Concat_fragment": ("files.concat", "FragmentProvider"),
    "Cron": ("cron", "CronProvider"),
    "Exec": ("exec", "ExecProvider"),
    "File": ("files.file", "FileProvider"),
    "File_line": ("files.file_line", "FileLineProvider"),
    "Group": ("users.group", "GroupProvider"),
    "Host": ("host", "HostProvider"),
    "Ini_setting": ("files.ini_setting", "IniSettingProvider"),
    "Mount": ("mount", "MountProvider"),
    "Notify": ("notify", "NotifyProvider"),
    "Package": ("packages.package", "PackageProvider"),
    "Resources": ("resources", "ResourcesProvider"),
    "Service": ("services.service", "ServiceProvider"),
    "Ssh_authorized_key": ("users.ssh_authorized_key", "KeyProvider"),
    "User": ("users.user", "UserProvider"),
}
# They are given what finds the files that `source` names.
_WITH_SOURCES = frozenset(("File", "Concat_file"))


class Providers:
    """The providers of a run. `sources` finds what `source` of files names."""

    def __init__(self, sources: FileSources | None = None) -> None:
        self._sources = sources or FileSources()
        self.find = cache(self._find)

    def _find(self, type: str) -> Provider | None:
        """Return the provider of a type, None if there is none."""
        if type not in PROVIDERS:
            return None
        module, name = PROVIDERS[type]
        kind = getattr(import_module(f"{__package__}.{module}"), name)
        made = kind(self._sources) if type in _WITH_SOURCES else kind()
        brings = hasattr(made, "generate") or hasattr(made, "announce")
        return GuardedGenerator(made) if brings else GuardedProvider(made)
