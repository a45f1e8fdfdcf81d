"""The release that a site has now, as its files say."""

from __future__ import annotations

import os

from analyzer.frontends.puppet.node.declared import METADATA
from analyzer.model.releases import FORK, PUPPET, Release
from analyzer.session.repository.bounds import meet, metadata_of, whole_major

# The release that is assumed where nothing names one: the last before strict mode.
USUAL = 7


def version_of_site(path: str, target: Release) -> Release:
    """Return the newest release before the target that a module's metadata admits, else Puppet 7.

    A target of OpenVox may follow a Puppet of the same major version.
    """
    newest = min(int(target) - 1, FORK)
    if os.path.isfile(os.path.join(path, METADATA)):
        runners = metadata_of("", path).runners
        for major in range(newest, 4, -1):
            if any(
                one.name == PUPPET and meet(one.versions, whole_major(major)) for one in runners
            ):
                return Release.parse(str(major))
    return Release.parse(str(min(newest, USUAL)))
