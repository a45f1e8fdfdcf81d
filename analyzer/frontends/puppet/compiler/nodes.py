"""The node: its variables, its node block, and the classes of a classifier (Puppet::Node)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.frontends.puppet.compiler import classes
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import RESERVED, Groups, reserved
from analyzer.frontends.puppet.evaluate.thunks import truth
from analyzer.frontends.puppet.node.legacy_facts import is_legacy, legacy_facts
from analyzer.frontends.puppet.regex.example import examples
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.frontends.puppet.syntax.node_names import name_of_pattern
from analyzer.model.names import capitalize_type
from analyzer.model.releases import (
    ASSUMED,
    FORK,
    IMPLEMENTATION,
    IMPLEMENTATION_FACT,
    LOST_NODE_BLOCKS,
    OPENVOX,
    has,
    release_of,
)
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value
from analyzer.pattern import pattern

# The agent's version where no fact tells it.
PUPPET_VERSION = "7.23.0"

# What the compiling server says of itself (Puppet::Resource::Catalog::Compiler#set_server_facts).
SERVER_FACTS = ("serverversion", "servername", "serverip")

# What the main class sets for itself, after the parameters of the node.
TAKEN = ("title", "name", "module_name")

# The warning for a fact that a parameter of the node hides.
HIDDEN = (
    "The node parameter '{}' for node '{}' was already set to '{}'. It could not be set to '{}'"
)

# What a hash must have to be taken for trusted data (Puppet::Node#sanitize).
TRUSTED_KEYS = {"authenticated", "certname", "extensions"}

# Increased when other names are chosen, and the patterns for which it takes long.
NAMES, MANY = "names of nodes 1", 20

# A part of a name that a regular expression matched, and the most names that differ in parts.
CAPTURE = pattern(r"\$\{?[1-9]\b")
MOST_ALTERNATIVES = 4

# The name and value of a fact that a typical system does not have.
OF_YOUR_OWN = Unknown("it may be a fact of your own ([stubs.facts] in catgraph.toml)")
EXTENSIONS = Unknown(
    "trusted extensions are in the node's certificate ([trusted] in catgraph.toml)"
)
EXTERNAL = Unknown("trusted external data come from the server ([trusted] in catgraph.toml)")


def set_variables(compilation: Compilation) -> None:
    """Set the top scope's variables: parameters of a classifier, else facts, else server facts.

    Raises:
        EvaluationError: a fact or parameter has a name that is not free.
    """
    top = compilation.top
    facts = facts_of(compilation)
    known = compilation.inputs.server_facts
    server = server_facts({}, compilation.puppet_version) if known is None else known
    parameters = merged(compilation, facts, server)
    # What counts as true is taken out, whatever it is; false is refused as any other would be.
    stored = parameters.get("trusted")
    if truth(stored):
        del parameters["trusted"]
    for name, value in parameters.items():
        if name != "environment":
            check_name(name)
            top.set(name, value)
    unknown = Unknown("no facts are given (--facts FILE)")
    open_facts: dict[Any, Value] = {OF_YOUR_OWN: OF_YOUR_OWN} if compilation.inputs.typical else {}
    if compilation.inputs.no_legacy_facts:
        facts = {name: value for name, value in facts.items() if not is_legacy(name)}
        if open_facts:
            # These names are no fact of one's own.
            open_facts |= dict.fromkeys(legacy_facts(facts))
    known_facts = {**open_facts, **facts}
    top.set("facts", unknown if compilation.inputs.facts is None else known_facts)
    top.set("title", "main")
    top.set("name", "main")
    top.set("environment", compilation.inputs.environment)
    top.set("trusted", trusted(compilation.inputs.certname, stored, compilation.inputs.trusted))
    top.set("server_facts", {**server, "environment": compilation.inputs.environment})


def merged(compilation: Compilation, *sources: Mapping[str, object]) -> dict[str, Value]:
    """Return a node's parameters, and what of the sources they do not hide (Puppet::Node#merge)."""
    found = {**compilation.inputs.node_parameters, "environment": compilation.inputs.environment}
    for name, value in [pair for source in sources for pair in source.items()]:
        if name not in found:
            found[name] = value
        elif find_unknown((found[name], value)) is None:
            values = map(to_s, (found[name], value))
            compilation.warnings.append(HIDDEN.format(name, compilation.inputs.node, *values))
    return found


def facts_of(compilation: Compilation) -> dict[str, Value]:
    """Return the facts with those that the agent adds (Puppet::Node::Facts#add_local_facts)."""
    known = compilation.inputs.facts or {}
    version = known.get("puppetversion", PUPPET_VERSION)
    local = {
        "clientcert": compilation.inputs.certname,
        "clientversion": version,
        "clientnoop": False,
    }
    if has(compilation.puppet_version, IMPLEMENTATION_FACT):
        local = {"implementation": OPENVOX, **local}
    return {**local, **known, **local}


def server_facts(given: Mapping[str, Value], version: int = ASSUMED) -> dict[str, Value]:
    """Return the server facts, Unknown where they are not given."""
    why = "${} belongs to the compiling server ([server_facts] in catgraph.toml)"
    unknown = {name: Unknown(why.format(name)) for name in SERVER_FACTS}
    return {**unknown, **server_implementation(version), **given}


def server_implementation(version: int) -> dict[str, Value]:
    """Return the variable that OpenVox adds, Unknown where Puppet may be meant."""
    name = "serverimplementation"
    if has(version, IMPLEMENTATION):
        return {name: OPENVOX}
    if release_of(version).product or version < FORK:
        return {}
    return {name: Unknown(f"OpenVox has ${name}, Puppet does not (--puppet-version openvox-8)")}


def check_name(name: str) -> None:
    """Refuse names that a parameter of a node cannot have.

    Raises:
        EvaluationError: it is one of them.
    """
    if name in RESERVED:
        raise EvaluationError(reserved(name))
    if name.isdigit():
        raise EvaluationError(f"Cannot assign to a numeric match result variable '${name}'")
    if name in TAKEN:
        raise EvaluationError(f"Cannot reassign variable '${name}'")


def trusted(node: str, stored: Value, given: Mapping[str, Any] | None) -> dict[str, Value]:
    """Return the trusted data: those of a local compile, or as stored with the facts; and given.

    If nothing is given the extensions are Unknown: a node's certificate has them.
    """
    if isinstance(stored, dict) and stored.keys() >= TRUSTED_KEYS:
        return {**stored, **(given or {})}
    extensions: Value = EXTENSIONS if given is None else {}
    given = given or {}
    authenticated = given.get("authenticated", "local")
    certname = given.get("certname", node if authenticated else None)
    hostname, _, domain = certname.partition(".") if certname else (None, "", None)
    local = {"authenticated": "local", "certname": certname, "extensions": extensions}
    external: Value = EXTERNAL if extensions is EXTENSIONS else {}
    local |= {"hostname": hostname, "domain": domain or None, "external": external}
    return {**local, **given}


def node_block(compilation: Compilation) -> None:
    """The node block of this node, if there are any.

    Raises:
        EvaluationError: there are blocks, and none is for this node.
    """
    if not compilation.definitions.nodes or not compilation.inputs.node_blocks:
        return
    definition, groups = blocks_of(compilation.definitions).block_for(compilation.inputs.node)
    if definition is None:
        node = compilation.inputs.node
        error = EvaluationError(f"Could not find node statement with name 'default' or '{node}'")
        near = similar_nodes(compilation.definitions, node)
        error.hint = f"  did you mean {' or '.join(near)}?" if near else ""
        raise error
    if definition.name == "default":
        warn_of_a_short_name(compilation)
    definition, title = stored_block(compilation, definition)
    entry = Entry("Node", title, compilation.top)
    entry.kind = "unknown"
    entry.definition = definition
    compilation.entries[("Node", title)] = entry
    compilation.tags.update(entry.tags)
    compilation.edges[compilation.entries[("Class", "main")], entry] = None
    classes.evaluate(compilation, entry, groups)


def stored_block(compilation: Compilation, found: Definition) -> tuple[Definition, str]:
    """Return the block that Puppet evaluates when it has found one, and the title of its node.

    It looks for the block once more by its name, in which some releases have capital letters that
    no name has: then it takes the first whose regular expression matches that name.

    Raises:
        EvaluationError: there is none.
    """
    pattern = getattr(found.match, "pattern", None)
    if pattern is None or not has(compilation.puppet_version, LOST_NODE_BLOCKS):
        return found, found.name
    title = name_of_pattern(pattern, capitals=True)
    if title == found.name:
        return found, title
    other = blocks_of(compilation.definitions).matching(title.lower())
    if other is None:
        raise EvaluationError("Cannot find definition Node")
    return other[0], title


def warn_of_a_short_name(compilation: Compilation) -> None:
    """Warn of a node without its domain: Puppet would ask for the whole name."""
    node = compilation.inputs.node
    names = blocks_of(compilation.definitions).named
    whole = [name for name in names if name.startswith(f"{node}.")]
    if whole:
        compilation.warnings.append(
            f"no node block is named '{node}', so that it gets the one of 'default'; "
            f"did you mean {' or '.join(whole[:3])}?"
        )


def similar_nodes(definitions: DefinitionTable, node: str) -> list[str]:
    """Return up to three names of node blocks that are similar to a name."""
    from difflib import get_close_matches

    names = list(blocks_of(definitions).named)
    whole = [name for name in names if name.startswith(f"{node}.")]
    return (whole or get_close_matches(node, names))[:3]


class Blocks:
    """The node blocks of a site, to look up nodes in."""

    def __init__(self, blocks: Sequence[Definition]) -> None:
        self.blocks, self.count = blocks, len(blocks)
        self.named = {definition.name: definition for definition in reversed(blocks)}
        patterns = ((block, getattr(block.match, "pattern", None)) for block in blocks)
        self.patterns = [(block, pattern) for block, pattern in patterns if pattern is not None]

    def block_for(self, node: str) -> tuple[Definition | None, Groups]:
        """Return the block for a node: by name, then by regular expression, then the default.

        With it come the groups of the regular expression.
        """
        name = node.lower()
        if name in self.named:
            return self.named[name], ()
        return self.matching(name) or self.of_default()

    def matching(self, name: str) -> tuple[Definition, Groups] | None:
        """Return the first block whose regular expression matches, with the groups."""
        for definition, expression in self.patterns:
            match = compiled(expression).search(name)
            if match is not None:
                return definition, (match[0], *match.groups())
        return None

    def of_default(self) -> tuple[Definition | None, Groups]:
        """Return the block for all other nodes: `default`, else one that matches this word."""
        if "default" in self.named:
            return self.named["default"], ()
        return self.matching("default") or (None, ())


def blocks_of(definitions: DefinitionTable) -> Blocks:
    """Return the node blocks of a table; they are put in order once."""
    found = definitions.blocks
    nodes = definitions.nodes
    if not isinstance(found, Blocks) or found.blocks is not nodes or found.count != len(nodes):
        found = definitions.blocks = Blocks(nodes)
    return found


def names_for(blocks: Sequence[Definition]) -> dict[str, Definition]:
    """Return a name for each block: its own, or one that its regular expression matches.

    A block that uses a part of the name has one for each alternative of the expression.
    """
    found: dict[str, Definition] = {}
    known = Blocks(blocks)
    for block, name in zip(blocks, names_of(blocks), strict=True):
        if name is not None:
            for one in (name, *alternatives_of(block, name, known)):
                found.setdefault(one.lower(), block)
    return found


def alternatives_of(block: Definition, name: str, known: Blocks) -> list[str]:
    """Return names for a block that differ from one in the letters of the parts that it uses."""
    expression = getattr(block.match, "pattern", None)
    end = block.node.offset + block.node.length
    if expression is None or not CAPTURE.search(block.unit.text, block.node.offset, end):
        return []
    matcher = compiled(expression)
    names: dict[object, str] = {}
    for one in (name, *examples(expression)):
        match = matcher.search(one)
        if match is not None and known.block_for(one)[0] is block:
            parts = ((part or "").strip("0123456789") for part in match.groups())
            names.setdefault(tuple(parts), one)
    return list(names.values())[1:MOST_ALTERNATIVES]


def names_of(blocks: Sequence[Definition]) -> list[str | None]:
    """Return a name for each block, None where none is known; names for many are kept on disk."""
    known, store = Blocks(blocks), user_cache()
    if len(known.patterns) < MANY:
        return [name_for(block, known) for block in blocks]
    key = key_of(NAMES, repr([(one.name, getattr(one.match, "pattern", None)) for one in blocks]))
    names = store.get(key)
    if not isinstance(names, list) or len(names) != len(blocks):
        names = [name_for(block, known) for block in blocks]
        store.put(key, names)
    return names


def name_for(block: Definition, known: Blocks) -> str | None:
    """Return a name of a node that a block is for, None if none is known."""
    expression = getattr(block.match, "pattern", None)
    names = examples(expression) if expression is not None else iter([block.name])
    return next((one for one in names if known.block_for(one)[0] is block), None)


def node_classes(compilation: Compilation) -> None:
    """The classes that an external node classifier gives, evaluated with the definitions."""
    if compilation.inputs.classes is None:
        return
    block = next((entry for entry in compilation.entries.values() if entry.type == "Node"), None)
    scope = block.own_scope if block is not None and block.own_scope else compilation.top
    plain = [name for name, given in compilation.inputs.classes.items() if not given]
    # Those with parameters come first.
    for names in ([name for name in compilation.inputs.classes if name not in plain], plain):
        found = [class_of_node(compilation, name) for name in names]
        for definition in found:
            key = ("Class", capitalize_type(definition.name))
            if names is not plain or key not in compilation.entries:
                given = compilation.inputs.classes.get(definition.name) or {}
                rows = [(parameter, value, False) for parameter, value in given.items()]
                classes.add_class(
                    compilation, definition, rows, scope, None, None, resource_like=False
                )


def class_of_node(compilation: Compilation, name: str) -> Definition:
    """Return the definition of a class that a classifier gives; of a missing one, an empty one."""
    message = f"Could not find class {name} for {compilation.inputs.node}"
    return compilation.seek_class(name, EvaluationError(message))
