"""The settings of a command: those of the user's `catgraph.toml` and of the options."""

from __future__ import annotations

from analyzer.frontends import json_document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.graph.automatic.rules import Rules
    from analyzer.model.catalog import Catalog


def settings_of(config: Config | None, given: dict[str, Any]) -> Settings:
    """Return the settings for compiling manifests; given values override the file.

    Raises:
        InputError: the file names a program but was not named itself, or a class does not exist.
    """
    from analyzer.config import Config
    from analyzer.config.keys import texts
    from analyzer.frontends.puppet.node.environment import MOST_SECONDS, Settings
    from analyzer.model.room import MOST_MEMORY

    file = config or Config("")
    seconds, memory = given.get("time_limit"), given.get("memory_limit")
    ruby = given.get("ruby") or file.program("ruby")
    nodes = tuple(texts(given.get("node") or ()))
    classes = tuple(map(class_name, given.get("class") or ()))
    parameters: dict[str, Any] = {}
    if given.get("param"):
        from analyzer.session.parameters import parameters_of

        parameters = parameters_of(given["param"], classes)
    return Settings(
        node=nodes[0] if len(nodes) == 1 else None,
        classes=classes,
        parameters=parameters,
        facts=tuple(given.get("facts") or file.existing("facts") or ()),
        modulepath=tuple(given.get("modulepath") or file.paths("modulepath")),
        hiera_config=given.get("hiera_config") or file.existing("hiera_config"),
        environment=given.get("environment") or file.environment,
        enc=given.get("enc") or file.program("enc"),
        puppet_version=given.get("puppet_version") or file.puppet_version or 8,
        version_assumed=bool(given.get("version_assumed")) and not file.puppet_version,
        strict_variables=given.get("strict_variables") or file.strict_variables,
        nodes=nodes or file.nodes,
        nodes_dir=given.get("nodes_dir") or file.paths("nodes_dir"),
        facts_dir=given.get("facts_dir") or file.paths("facts_dir"),
        roles=file.roles,
        all_roles=bool(given.get("all_roles")),
        progress=given.get("progress"),
        legacy_facts=given.get("legacy_facts") or file.legacy_facts,
        stubs=file.stubs,
        trusted=file.trusted,
        server_facts=file.server_facts,
        ruby=None if ruby == "off" else ruby or None,
        strict=given.get("strict") or file.strict,
        store=given.get("store") or file.program("store"),
        time_limit=MOST_SECONDS if seconds is None else seconds,
        memory_limit=MOST_MEMORY if memory is None else memory,
        allow_read=(*(given.get("allow_read") or ()), *file.program("allow_read")),
    )


def class_name(text: str) -> str:
    """Return the name of a class as manifests declare it.

    Raises:
        InputError: it is not valid.
    """
    name = text.removeprefix("::").lower()
    words = name.replace("::", "_")
    if not words.replace("_", "a").isalnum() or not words.isascii() or not words[0].isalpha():
        json_document.reject("expected the name of a class, such as apache::mod", f"--class {text}")
    return name


def config_for(path: str, named: str | None = None) -> Config | None:
    """Return the `catgraph.toml` for an input: the one named, else the nearest above.

    Raises:
        InputError: the file is not valid.
    """
    found = named or nearest_config(path)
    if found is None:
        return None
    from analyzer.config import load

    return load(found, named=named is not None)


def nearest_config(path: str) -> str | None:
    """Return the nearest `catgraph.toml` at or above a file or folder; `-`: the current folder."""
    import os

    here = os.getcwd()
    folder = here if path in ("", "-") else os.path.abspath(path)
    while True:
        candidate = os.path.join(folder, "catgraph.toml")
        if os.path.isfile(candidate):
            below = os.path.join(here, "")
            return candidate[len(below) :] if candidate.startswith(below) else candidate
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def rules_for(catalog: Catalog, config: Config | None) -> Rules | None:
    """Return the rules with those of the user's `catgraph.toml`, None where it has none.

    Raises:
        InputError: the file has an unknown entry about a type.
    """
    if config is None or not config.types:
        return None
    from analyzer.graph.automatic.user_rules import read_rules

    return read_rules(config, catalog)


def identity_of(path: str, named: str | None) -> str:
    """Return a text that differs if the configuration of an input does; `named` is its file."""
    from analyzer.reading import state_of

    file = named or nearest_config(path)
    return f"{file}\n{state_of(file)}" if file else ""
