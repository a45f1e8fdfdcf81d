"""Questions to the real tool: the inputs of a compile as `ruby/nodes.rb` takes them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.compiles.plan import CompilePlan
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compile import classified, environment_of
from analyzer.frontends.puppet.node.environment import CODE, Environment, manifests_in
from analyzer.frontends.puppet.node.sites import place_of_manifests
from analyzer.model.certnames import certname_of
from analyzer.model.documents import JsonObject
from analyzer.reach import within

if TYPE_CHECKING:
    from analyzer.frontends.puppet.node.environment import Settings

# The server that both are told of.
SERVER = {"servername": "puppet.example.com", "serverip": "192.0.2.1"}
# What a certificate has where nobody says so.
TRUSTED: JsonObject = {"extensions": {}, "external": {}}


def question_of(
    plan: CompilePlan, target: Target, facts: JsonObject, folder: str, code: str | None = None
) -> JsonObject:
    """Return the question about a target of a plan, or about `code` in place of its manifests.

    Links to modules that lie elsewhere than their names say are made below `folder`.

    Raises:
        InputError: a classifier's answer cannot be read.
        CompileError: a classifier names an environment that is not there.
    """
    settings, codebase = plan.settings, plan.codebases[target.codebase]
    answer = classified(settings, target.node, target.role)
    environment, _ = environment_of(answer, codebase.environment, codebase.definitions, settings)
    node = certname_of(target.node)
    hiera = settings.hiera_config
    question: JsonObject = {
        "node": node,
        "environment": answer.environment or environment.name,
        "folder": environment.folder and os.path.abspath(environment.folder),
        "modulepath": [
            *links_to(environment.placed, folder),
            *(os.path.abspath(one) for one in environment.modulepath if os.path.isdir(one)),
        ],
        "manifest": None if code is not None else manifest_of(plan.path, environment),
        "code": code,
        "facts": facts,
        "classes": answer.classes or {},
        "parameters": answer.parameters,
        "trusted": trusted_of(node, settings),
        "server_facts": dict(settings.server_facts),
        "hiera_config": hiera and os.path.abspath(hiera),
        "settings": {},
        "graph": True,
    }
    if settings.strict_variables:
        question["settings"]["strict_variables"] = True
    return question


def trusted_of(node: str, settings: Settings) -> JsonObject:
    """Return the trusted data of a node."""
    hostname, _, domain = node.partition(".")
    local = {"authenticated": "local", "certname": node, "hostname": hostname}
    return {**local, "domain": domain or None, **TRUSTED, **settings.trusted}


def links_to(placed: object, folder: str) -> Sequence[str]:
    """Return a folder with links to modules under their names, none if there are none."""
    if not isinstance(placed, dict) or not placed:
        return ()
    below = os.path.join(folder, "placed")
    os.makedirs(below, exist_ok=True)
    for name, place in placed.items():
        link = os.path.join(below, name)
        if os.path.lexists(link):
            os.unlink(link)
        os.symlink(os.path.abspath(place), link)
    return (below,)


def manifest_of(path: str, environment: Environment) -> str | None:
    """Return the manifest, or the folder of manifests, of an environment; None: it has none."""
    wanted = environment.manifests
    if not wanted or wanted == (CODE,):
        return None
    if len(wanted) == 1:
        return os.path.abspath(wanted[0])
    places = [path]
    if environment.folder is not None:
        places.insert(0, place_of_manifests(environment.folder, environment.settings))
    with within(environment.roots):
        for place in places:
            if is_folder_of(place, wanted):
                return os.path.abspath(place)
    return os.path.abspath(os.path.commonpath(wanted))


def is_folder_of(place: str, manifests: Sequence[str]) -> bool:
    """Return whether a folder holds just these manifests."""
    try:
        return os.path.isdir(place) and manifests_in(place) == tuple(manifests)
    except InputError:
        return False
