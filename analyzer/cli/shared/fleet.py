"""Turns the words and options of `catgraph fleet` into a question and a source."""

from __future__ import annotations

from analyzer.cli.shared.options import Option, positive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import ExitStack

    from analyzer.cli.shared.options import Options
    from analyzer.config import Config
    from analyzer.fleet.questions.graphs import Graphs
    from analyzer.fleet.sources.puppetdb_config import Access
    from analyzer.fleet.sources.repo import Repo
    from analyzer.fleet.values import CatalogSource, FleetQuestion
    from analyzer.frontends.puppet.node.environment import Settings

# The options for access to a PuppetDB.
PUPPETDB = (
    Option("--query", "PuppetDB: only nodes that PQL or AST returns", metavar="QUERY"),
    Option("--cert", "PuppetDB: client certificate", metavar="FILE"),
    Option("--key", "PuppetDB: key of the client certificate", metavar="FILE"),
    Option("--cacert", "PuppetDB: certificate of the CA", metavar="FILE"),
    Option("--token-file", "PuppetDB: file with a token of Puppet Enterprise", metavar="FILE"),
    Option(
        "--answer-limit",
        "PuppetDB: time limit for the answer to one query, in seconds",
        300,
        (),
        "N",
        positive,
    ),
)


def is_source(word: str) -> bool:
    """Return whether a word may name a source: an address, or a path that exists."""
    from os.path import exists

    return exists(word) or is_puppetdb(word)


def is_puppetdb(word: str) -> bool:
    """Return whether a word names a PuppetDB."""
    return word == "puppetdb" or word.startswith(("puppetdb+", "http://", "https://"))


def is_fleet(path: str) -> bool:
    """Return whether an input is a source of several catalogs: a PuppetDB, or a folder of catalogs.

    A folder with any manifest or policy is not a source: its JSON files are data.
    """
    from os import walk
    from os.path import isdir

    if is_puppetdb(path) or not isdir(path) or is_repo(path):
        return is_puppetdb(path)
    names = [name for _, _, found in walk(path) for name in found]
    if any(name.endswith((".pp", ".cf")) for name in names):
        return False
    return any(name.endswith((".json", ".json.gz")) for name in names)


def question_of(name: str, words: list[str], source: str, options: Options) -> FleetQuestion:
    """Return the question in the words and options.

    Raises:
        InputError: an expression is not valid, or a code matches no rule.
    """
    config, graphs = graphs_of(source, options)
    if name == "lint":
        return lint_of(options, config, graphs)
    if name == "query":
        from analyzer.fleet.questions.query import QueryQuestion, check

        check(words[0])
        return QueryQuestion(words[0], graphs)
    if name == "runs":
        from analyzer.fleet.questions.runs import Runs

        return Runs(access_of(source, options))
    if name == "why":
        from analyzer.fleet.questions.why import WhyQuestion

        return WhyQuestion(words[0], words[1], graphs)
    if name == "impact":
        from analyzer.fleet.questions.impact import ImpactQuestion

        return ImpactQuestion(words[0], graphs)
    from analyzer.fleet.questions.cycles import Cycles

    return Cycles(graphs)


def revision(path: str, rev: str, options: Options, stack: ExitStack) -> Repo:
    """Return a control repo at a revision, or its current state without one."""
    from os.path import abspath, realpath

    from analyzer.fleet.sources.repo import Repo
    from analyzer.session.repository.revisions import at_revision

    if options.facts_dir:
        vars(options)["facts_dir"] = abspath(options.facts_dir)
    if not rev:
        return Repo(path, compile_settings(path, options))
    import os

    label, here = f"{realpath(path)} {rev}", os.getcwd()
    there = abspath(stack.enter_context(at_revision(path, rev)))
    # The next revision is relative to this folder, too.
    os.chdir(here)
    return Repo(there, compile_settings(there, options), label)


def graphs_of(source: str, options: Options) -> tuple[Config | None, Graphs]:
    """Return the nearest configuration of a source, and its function that builds graphs."""
    from analyzer.fleet.questions.graphs import graphs_with
    from analyzer.session.settings import config_for, nearest_config

    place = "." if is_puppetdb(source) else source
    config = config_for(place, options.config)
    return config, graphs_with(config, options.config or nearest_config(place))


def lint_of(options: Options, config: Config | None, graphs: Graphs) -> FleetQuestion:
    """Return the question of the lint, with the rules of the options or of `catgraph.toml`."""
    from analyzer.cli.shared.lint_request import split_codes
    from analyzer.fleet.questions.lint import Lint, rules_of
    from analyzer.session.lint.request import choice_of

    choice = choice_of(config, split_codes(options.select), split_codes(options.ignore))
    severity = tuple(sorted(choice.severity.items()))
    rules_of(choice.select, choice.ignore, severity)
    return Lint(choice.select, choice.ignore, severity, graphs=graphs)


def source_of(text: str, options: Options) -> CatalogSource:
    """Return the source that a word names.

    Raises:
        InputError: a PuppetDB is not configured.
    """
    if is_puppetdb(text):
        from analyzer.fleet.sources.puppetdb import PuppetDB

        return PuppetDB(access_of(text, options), options.query or "")
    if is_repo(text):
        return repo_of(text, options)
    from analyzer.fleet.sources.folder import Folder

    return Folder(text)


def repo_of(path: str, options: Options) -> Repo:
    """Return a control repo or a manifest as a source."""
    from analyzer.fleet.sources.repo import Repo

    return Repo(path, compile_settings(path, options))


def access_of(text: str, options: Options) -> Access:
    """Return the settings for access to a PuppetDB.

    Raises:
        InputError: it is not configured.
    """
    from analyzer.fleet.sources.puppetdb_config import access_to

    files = ("cert", "key", "cacert", "token_file")
    given = {name: getattr(options, name) for name in files}
    return access_to(text, given, options.answer_limit)


def is_repo(path: str) -> bool:
    """Return whether a path must be compiled: a control repo or a manifest."""
    from os.path import exists, join

    marks = ("manifests", "environment.conf", "site.pp", "environments", "Puppetfile")
    return path.endswith(".pp") or any(exists(join(path, name)) for name in marks)


def compile_settings(path: str, options: Options) -> Settings:
    """Return the settings for compiling a control repo.

    Raises:
        InputError: a file or value of the options is not valid.
    """
    from dataclasses import replace
    from os.path import abspath

    from analyzer.cli.shared.inputs import settings_for
    from analyzer.session.settings import config_for

    found = settings_for("manifests", options, config_for(path, options.config))
    assert found is not None
    # Here, `--store` holds results, not exported resources.
    exports = getattr(options, "exports", None)
    return replace(found, progress=None, store=exports and abspath(exports))
