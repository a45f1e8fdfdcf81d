"""Finds resources that need a folder or a mount, by the paths that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analyzer.linter.puppet.needs.words import words
from analyzer.linter.puppet.related_resources import (
    has_content,
    name_of,
    path_of,
    to_install,
)
from analyzer.linter.puppet.shared_targets import (
    PRODUCED,
    Pair,
    arguments,
    folders_above,
    is_folder,
    made_by,
    paths,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource

# Folders that every system, or every system with that package manager, has before Puppet runs.
BASE_FOLDERS = words(
    """
    / /bin /boot /dev /etc /etc/apt /etc/apt/apt.conf.d /etc/apt/keyrings
    /etc/apt/preferences.d /etc/apt/sources.list.d /etc/apt/trusted.gpg.d /etc/cron.d
    /etc/cron.daily /etc/cron.hourly /etc/cron.monthly /etc/cron.weekly /etc/default
    /etc/init.d /etc/pam.d /etc/pki/rpm-gpg /etc/profile.d /etc/rc.d /etc/security /etc/skel
    /etc/ssl /etc/ssl/certs /etc/ssl/private /etc/sysconfig /etc/systemd/system
    /etc/yum.repos.d /home /lib /media /mnt /opt /root /run /sbin /srv /sys /tmp /usr /usr/bin
    /usr/lib /usr/local /usr/local/bin /usr/local/etc /usr/local/lib /usr/local/sbin
    /usr/local/share /usr/sbin /usr/share /usr/share/keyrings /var /var/cache /var/lib
    /var/lock /var/log /var/run /var/spool /var/tmp
    """
)

# Types with a path that Puppet does not relate to a mount.
PLACED = (("Vcsrepo", "path"), ("Archive", "path"), ("Archive", "extract_path"), ("Exec", "cwd"))


# Packages that provide the program `mount.TYPE`, by the type of the file system.
MOUNTERS = {
    "ceph": ("ceph-common",),
    "cifs": ("cifs-utils",),
    "fuse.s3fs": ("s3fs",),
    "fuse.sshfs": ("sshfs", "fuse-sshfs"),
    "glusterfs": ("glusterfs-client", "glusterfs-fuse"),
    "nfs": ("nfs-client", "nfs-common", "nfs-utils"),
    "nfs4": ("nfs-client", "nfs-common", "nfs-utils"),
}


def mount_and_user(compiled: Compiled) -> Iterator[Pair]:
    """Yield the folder or package of each mount with it, and it with the users of paths below
    it."""
    mounts = {
        name_of(one).rstrip("/"): one
        for one in compiled.by_type.get("Mount", ())
        if one.parameters.get("ensure") == "mounted"
    }
    if not mounts:
        return
    yield from package_and_mount(compiled, mounts.values())
    files = paths(compiled)
    for path, mount in mounts.items():
        if path in files and is_folder(files[path]):
            yield Pair(files[path], mount, f"the mount point {path}")
    for kind, attribute in PLACED:
        for resource in compiled.by_type.get(kind, ()):
            given = resource.parameters.get(attribute)
            own = path_of(resource) if attribute == "path" else given
            yield from mounts_of(mounts, resource, own)
    for resource in compiled.by_type.get("Exec", ()):
        for path in sorted({*arguments(resource.parameters.get("command", resource.title))}):
            yield from mounts_of(mounts, resource, path)


def package_and_mount(compiled: Compiled, mounts: Iterable[Resource]) -> Iterator[Pair]:
    """Yield the package that can mount a file system, and the mount."""
    packages = {name_of(one): one for one in to_install(compiled)}
    for mount in mounts:
        kind = str(mount.parameters.get("fstype"))
        found = [packages[name] for name in MOUNTERS.get(kind, ()) if name in packages]
        if found and not any(compiled.is_before(one, mount) for one in found):
            yield Pair(found[0], mount, f"the file system {kind}")


def mounts_of(mounts: dict[str, Resource], resource: Resource, path: object) -> Iterator[Pair]:
    """Yield the mount that contains a path of a resource."""
    if isinstance(path, str) and path.startswith("/"):
        for folder in (path.rstrip("/"), *folders_above(path)):
            if folder in mounts:
                yield Pair(mounts[folder], resource, f"the mount {folder}")
                return


def folder_and_output(compiled: Compiled) -> Iterator[Pair]:
    """Yield a managed folder and an exec whose command writes a file into it."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if files else ():
        made = made_by(resource)
        for path in sorted(outputs(resource)):
            folder = path.rpartition("/")[0]
            file = files.get(folder)
            if folder in BASE_FOLDERS or made.intersection((folder, *folders_above(folder))):
                continue
            if file and is_folder(file):
                yield Pair(file, resource, f"the folder {folder}")


def outputs(resource: Resource) -> set[str]:
    """Return the paths that a command certainly writes: outputs, and those of `creates` in it."""
    found: set[str] = set()
    given = resource.parameters
    for command in texts(given.get("command", resource.title)):
        found.update(PRODUCED.findall(command))
        found.update(one for one in texts(given.get("creates")) if one in command)
    return {path.rstrip("/") for path in found}


def is_brought(file: Resource) -> bool:
    """Return whether a file exists because Puppet creates it."""
    return has_content(file) or file.parameters.get("ensure") in ("directory", "file", "present")
