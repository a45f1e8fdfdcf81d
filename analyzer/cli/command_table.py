"""The commands: names, modules that are imported on demand, and summaries."""

from __future__ import annotations

# name: (module, summary)
COMMANDS: dict[str, tuple[str, str]] = {
    "cycles": (
        "analyzer.cli.commands.cycles",
        "find and explain dependency cycles; exit 1 if there are any",
    ),
    "lint": (
        "analyzer.cli.commands.lint",
        "check manifests, catalogs and policies with rules that use the graph",
    ),
    "check": (
        "analyzer.cli.commands.check",
        "the gate of a pipeline: fail only for what the baseline does not accept",
    ),
    "rule": ("analyzer.cli.commands.rule", "explain a lint rule"),
    "order": (
        "analyzer.cli.commands.order",
        "print the order of resources or promises",
    ),
    "why": ("analyzer.cli.commands.why", "explain why one resource comes before another"),
    "impact": (
        "analyzer.cli.commands.impact",
        "show what a failure or change of a resource affects",
    ),
    "query": (
        "analyzer.cli.commands.query",
        "find resources or edges: type = File and before Service[x]",
    ),
    "apply": (
        "analyzer.cli.commands.apply",
        "simulate or perform a run: what changes, fails or is refreshed",
    ),
    "tui": (
        "analyzer.cli.commands.tui",
        "step through a run in the terminal, forwards and backwards",
    ),
    "serve": (
        "analyzer.cli.commands.serve",
        "show the terminal screens in a browser on this machine",
    ),
    "play": (
        "analyzer.cli.commands.play",
        "edit copies of local files in a browser, with findings as you type",
    ),
    "lsp": ("analyzer.cli.commands.lsp", "serve the graph to an editor: diagnostics, definitions"),
    "mcp": (
        "analyzer.cli.commands.mcp",
        "answer questions over the Model Context Protocol, read only",
    ),
    "diff": (
        "analyzer.cli.commands.diff",
        "compare two catalogs, revisions or runs; exit 1 if they differ",
    ),
    "upgrade": (
        "analyzer.cli.commands.upgrade",
        "report what breaks and changes under another Puppet or OpenVox",
    ),
    "verify": (
        "analyzer.cli.commands.verify",
        "compare with the installed Puppet or OpenVox; exit 1 if a catalog differs",
    ),
    "graph": ("analyzer.cli.commands.graph", "draw or export the graph"),
    "compile": ("analyzer.cli.commands.compile", "compile manifests to a catalog in Puppet's JSON"),
    "parse": (
        "analyzer.cli.commands.parse",
        "check the syntax of manifests, templates and policies",
    ),
    "explore": (
        "analyzer.cli.commands.explore",
        "find the facts and parameters under which there is a cycle",
    ),
    "fleet": (
        "analyzer.cli.commands.fleet",
        "ask a question of all catalogs of a site; group findings by cause",
    ),
    "modules": (
        "analyzer.cli.commands.modules",
        "list declared, missing, undeclared and unused modules",
    ),
    "unused": (
        "analyzer.cli.commands.unused",
        "list classes, files and keys of Hiera that no node can reach",
    ),
    "facts": ("analyzer.cli.commands.facts", "list or print the facts of typical machines"),
    "init": ("analyzer.cli.commands.init", "write an initial catgraph.toml for a repository"),
    "convert": (
        "analyzer.cli.commands.convert",
        "convert tests of rspec-puppet to pytest",
    ),
    "completion": ("analyzer.cli.commands.completion", "print a completion script for a shell"),
}
