"""Paths on a host: links followed, and what stands at the end of them."""

from __future__ import annotations

import errno
import os
import posixpath

from analyzer.apply.host import Host, Stat

_MOST_LINKS = 40


def followed(host: Host, path: str) -> str:
    """Return the path that a path means once the link that it may be is followed."""
    for _ in range(_MOST_LINKS):
        found = host.stat(path)
        if not found or found.kind != "link":
            return path
        path = posixpath.join(posixpath.dirname(path), host.link_target(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def stat_followed(host: Host, path: str) -> Stat | None:
    """Return the target of a path, with links followed; None if nothing exists there."""
    try:
        return host.stat(followed(host, path))
    except OSError:
        return None


def enter(host: Host, path: str) -> Stat:
    """Return the folder that a path means.

    Raises:
        OSError: there is none, as the system says when one goes there.
    """
    try:
        found, last = host.stat(followed(host, path)), path
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    if found and found.kind == "directory":
        return found
    while not found:
        last = posixpath.dirname(last)
        found = stat_followed(host, last)
    code = errno.ENOENT if found.kind == "directory" else errno.ENOTDIR
    raise OSError(code, os.strerror(code), path)


def ruby_error(error: OSError) -> str:
    """Return an error of the system as Ruby words it: `Permission denied @ rb_sysopen - /x`.

    What Ruby puts after the `@` depends on the call that it made and is left out.
    """
    return f"{error.strerror} - {error.filename}" if error.filename else str(error.strerror)
