"""`catgraph completion SHELL`: print a completion script, made from the command tables."""

from __future__ import annotations

from importlib import import_module

from analyzer.cli.shared.options import OUTPUT
from analyzer.cli.shared.output import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Option, Options

USAGE = "SHELL"
INPUTS = (1, 1)
HELP = """Print a completion script for bash, zsh or fish. For bash:

  catgraph completion bash > ~/.local/share/bash-completion/completions/catgraph"""
OPTIONS = (OUTPUT,)


def run(options: Options) -> int:
    """Print the script of one shell."""
    shells = {"bash": bash, "zsh": zsh, "fish": fish}
    shell = options.inputs[0]
    if shell not in shells:
        from analyzer.cli.shared.output import usage_error

        return usage_error(
            "completion", f"no script for {shell}; choose one of {', '.join(shells)}"
        )
    emit(shells[shell](), options.output)
    return 0


def commands() -> dict[str, tuple[str, tuple[Option, ...]]]:
    """Return each command's summary and options."""
    from analyzer.cli import COMMANDS

    return {
        name: (summary, import_module(module).OPTIONS)
        for name, (module, summary) in COMMANDS.items()
    }


def bash() -> str:
    """Return the script for bash."""
    rows = []
    values = []
    for name, (_, options) in commands().items():
        flags = " ".join(flag for option in options for flag in option.flags)
        rows.append(f'    {name}) words="{flags} --help" ;;')
        for option in options:
            if option.choices:
                pattern = "|".join(f"{name}:{flag}" for flag in option.flags)
                values.append(f'    {pattern}) words="{" ".join(option.choices)}" ;;')
    return "\n".join(
        [
            "_catgraph() {",
            '  local word="${COMP_WORDS[COMP_CWORD]}" last="${COMP_WORDS[COMP_CWORD-1]}" words=""',
            '  local command="${COMP_WORDS[1]}"',
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f'    COMPREPLY=($(compgen -W "{" ".join(commands())} --help --version" -- "$word"))',
            "    return",
            "  fi",
            '  case "$command:$last" in',
            *values,
            "  esac",
            '  if [ -z "$words" ] && [ "${word:0:1}" = "-" ]; then',
            '    case "$command" in',
            *(f"  {row}" for row in rows),
            "    esac",
            "  fi",
            '  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))',
            '  else COMPREPLY=($(compgen -f -- "$word")); fi',
            "}",
            "complete -o filenames -F _catgraph catgraph",
        ]
    )


def zsh() -> str:
    """Return the script for zsh, which runs the one for bash."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """Return the script for fish."""
    lines = []
    for name, (summary, options) in commands().items():
        lines.append(f"complete -c catgraph -n __fish_use_subcommand -a {name} -d '{summary}'")
        for option in options:
            text = option.help.replace("'", "\\'")
            flags = "".join(
                f" -l {f[2:]}" if f.startswith("--") else f" -s {f[1:]}" for f in option.flags
            )
            value = f" -x -a '{' '.join(option.choices)}'" if option.choices else ""
            value = value or ("" if option.flag else " -r")
            condition = f"'__fish_seen_subcommand_from {name}'"
            lines.append(f"complete -c catgraph -n {condition}{flags}{value} -d '{text}'")
    return "\n".join(lines)
