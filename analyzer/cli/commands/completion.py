"""`catgraph completion SHELL`: print a completion script, made from the command tables."""

from __future__ import annotations

import re
from importlib import import_module

from analyzer.cli.shared.options import OUTPUT, Option
from analyzer.cli.shared.output import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.cli.shared.options import Options

USAGE = "SHELL"
INPUTS = (1, 1)
HELP = """Print a completion script for bash, zsh or fish. For bash:

  catgraph completion bash > ~/.local/share/bash-completion/completions/catgraph

It completes commands, options and their values, systems, rules, and the nodes and references of
the INPUT that the command line names."""
# What the scripts ask for while a command is typed.
NODES, REFS = "nodes", "refs"
# The names among them that a shell can complete.
TYPED = re.compile(r"\w[ -~]*")
OPTIONS = (
    Option(
        "--list",
        "print the nodes or references of an input instead, given in place of SHELL",
        choices=(NODES, REFS),
    ),
    OUTPUT,
)

# Seconds for the compile of manifests whose references are completed.
PATIENCE = 5
# Commands whose words are references or codes besides inputs.
WORDS = {"why": REFS, "impact": REFS, "rule": "codes", "facts": "systems"}


def run(options: Options) -> int:
    """Print the script of one shell, or what it asks for."""
    shells = {"bash": bash, "zsh": zsh, "fish": fish}
    given = options.inputs[0]
    if options.list:
        # Nobody types the others; at the start of a line, they could be a command of GitHub.
        names = [name for name in names_of(options.list, given) if TYPED.fullmatch(name)]
        emit("\n".join(names), options.output)
        return 0
    if given not in shells:
        from analyzer.cli.shared.output import usage_error

        return usage_error(
            "completion", f"no script for {given}; choose one of {', '.join(shells)}"
        )
    emit(shells[given](), options.output)
    return 0


def names_of(kind: str, path: str) -> list[str]:
    """Return the names of nodes of an input, or the references in it; of manifests of one node."""
    from contextlib import suppress

    from analyzer.diagnostics import InputError

    with suppress(InputError):
        from analyzer.frontends.puppet.node.environment import Settings
        from analyzer.session.inputs import kind_of, load_catalogs

        settings = Settings(time_limit=PATIENCE)
        if kind_of(path) == "manifests":
            from dataclasses import replace

            from analyzer.compiles.plan import NO_FACTS, plan_of

            targets = plan_of(path, settings, sets=NO_FACTS).targets
            nodes = sorted(target.node for target in targets if not target.alone)
            if kind == NODES:
                return nodes
            settings = replace(settings, node=nodes[0] if nodes else None)
        catalogs = load_catalogs(path, settings)
        if kind == NODES:
            return sorted({catalog.name for catalog in catalogs})
        return sorted({str(resource) for catalog in catalogs for resource in catalog.resources})
    return []


def static(kind: str) -> list[str]:
    """Return the words of a kind that no input changes."""
    if kind == "systems":
        from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS

        return [MARK + name for name in SYSTEMS]
    from analyzer.linter.registry import all_rules

    return sorted(all_rules())


def kind_of_value(option: Option) -> str:
    """Return the kind of words that an option takes, empty if it has none of these."""
    by_flag = {"--node": NODES, "--facts": "systems"}
    return by_flag.get(
        option.flags[-1], {"REF": REFS, "CODES": "codes"}.get(option.metavar or "", "")
    )


def commands() -> dict[str, tuple[str, tuple[Option, ...]]]:
    """Return each command's summary and options."""
    from analyzer.cli.command_table import COMMANDS

    return {
        name: (summary, import_module(module).OPTIONS)
        for name, (module, summary) in COMMANDS.items()
    }


def rows_of_bash() -> tuple[list[str], list[str]]:
    """Return the cases of bash for the words of commands, and for the values of options."""
    rows, values = [], []
    for name, (_, options) in commands().items():
        flags = " ".join(flag for option in options for flag in option.flags)
        rows.append(f'    {name}) words="{flags} --help" ;;')
        for option in options:
            pattern = "|".join(f"{name}:{flag}" for flag in option.flags)
            kind = kind_of_value(option)
            if kind in (NODES, REFS):
                values.append(f"    {pattern}) kind={kind} ;;")
            elif option.choices or kind:
                words = " ".join(option.choices or static(kind))
                values.append(f'    {pattern}) words="{words}" ;;')
    return rows, values


def rows_of_words() -> Iterator[str]:
    """Yield the cases of bash for the words of commands that are no options."""
    for name, kind in WORDS.items():
        if kind == REFS:
            yield f"    {name}) kind={kind} ;;"
        else:
            yield f'    {name}) words="{" ".join(static(kind))}" ;;'


BASH = r"""_catgraph() {
  local word="${COMP_WORDS[COMP_CWORD]}" place=$COMP_CWORD words="" kind=""
  local command="${COMP_WORDS[1]}" input="" one line start last
  # Colons separate words of bash: of a reference, only what follows the last one is replaced.
  case "$word" in :|::) word="" place=$((place-1)) ;; esac
  while [ "$place" -gt 2 ]; do
    case "${COMP_WORDS[place-1]}" in :|::) place=$((place-2)) ;; *) break ;; esac
  done
  last="${COMP_WORDS[place-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "@COMMANDS@ --help --version" -- "$word"))
    return
  fi
  case "$command:$last" in
@VALUES@
  esac
  if [ -z "$words$kind" ] && [ "${word:0:1}" = "-" ]; then
    case "$command" in
@ROWS@
    esac
  elif [ -z "$words$kind" ]; then
    for one in "${COMP_WORDS[@]:2}"; do if [ -e "$one" ]; then input="$one"; fi; done
    if [ "${last:0:1}" != "-" ]; then case "$command" in
@WORDS@
    esac; fi
  fi
  COMPREPLY=()
  if [ -n "$kind" ]; then
    for one in "${COMP_WORDS[@]:2}"; do if [ -e "$one" ]; then input="$one"; fi; done
    one="${COMP_LINE:0:COMP_POINT}" one="${one##* }" one="${one//\\/}"
    start="${one%"${word//\\/}"}"
    if [ -n "$input" ]; then
      while IFS= read -r line; do
        if [ "${line:0:${#one}}" = "$one" ]; then COMPREPLY+=("${line:${#start}}"); fi
      done < <(catgraph completion --list "$kind" -- "$input" 2>/dev/null)
    fi
  elif [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _catgraph catgraph"""


def bash() -> str:
    """Return the script for bash."""
    rows, values = rows_of_bash()
    parts = {"COMMANDS": " ".join(commands()), "VALUES": "\n".join(values)}
    parts |= {"ROWS": "\n".join(rows), "WORDS": "\n".join(rows_of_words())}
    text = BASH
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def zsh() -> str:
    """Return the script for zsh, which runs the one for bash."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


FISH = """function __catgraph_list
    for word in (commandline -opc)[3..]
        if test -e $word
            catgraph completion --list $argv[1] -- $word 2>/dev/null
        end
    end
end"""


def fish() -> str:
    """Return the script for fish."""
    lines = [FISH]
    for name, (summary, options) in commands().items():
        lines.append(
            f"complete -c catgraph -n __fish_use_subcommand -a {name} -d {quoted(summary)}"
        )
        condition = quoted(f"__fish_seen_subcommand_from {name}")
        for option in options:
            flags = "".join(
                f" -l {f[2:]}" if f.startswith("--") else f" -s {f[1:]}" for f in option.flags
            )
            kind = kind_of_value(option)
            value = f" -x -a {quoted(' '.join(option.choices))}" if option.choices else ""
            value = value or (f" -r{words_of_fish(kind)}" if kind else "")
            value = value or ("" if option.flag else " -r")
            lines.append(
                f"complete -c catgraph -n {condition}{flags}{value} -d {quoted(option.help)}"
            )
        if name in WORDS:
            lines.append(f"complete -c catgraph -n {condition}{words_of_fish(WORDS[name])}")
    return "\n".join(lines)


def words_of_fish(kind: str) -> str:
    """Return fish's option for the words of a kind."""
    words: Iterable[str] = static(kind) if kind not in (NODES, REFS) else ()
    return f" -a {quoted(' '.join(words) or f'(__catgraph_list {kind})')}"


def quoted(text: str) -> str:
    """Return a text in fish's single quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
