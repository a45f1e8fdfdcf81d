"""Programs that providers need: their paths, and the errors when they fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.apply.host import Host, Output
from analyzer.apply.provider import ProviderError, UnsuitableError
from analyzer.apply.providers.machine.shell import words as words_of

_PLAIN = {"LANG": "C", "LC_ALL": "C"}
REDACTED = "[redacted]"


def needed(host: Host, provider: str, programs: Sequence[str]) -> None:
    """See that the programs of a provider are there.

    Raises:
        UnsuitableError: one is not.
    """
    if not all(map(host.which, programs)):
        raise UnsuitableError(f"Provider {provider} is not functional on this host")


def execute(
    host: Host,
    words: Sequence[str] | str,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    secret: bool = False,
    locale: bool = False,
) -> Output:
    """Run a program, or a line of text, and return what it says.

    `locale` leaves the language as it is.

    Raises:
        ProviderError: it is not there, or ends with another code than 0.
    """
    output = attempt(host, words, environment=environment, stdin=stdin, locale=locale)
    if output.code != 0:
        line = words if isinstance(words, str) else " ".join([_place(host, words[0]), *words[1:]])
        line = REDACTED if secret else line
        raise ProviderError(f"Execution of '{line}' returned {output.code}: {output.text.strip()}")
    return output


def attempt(
    host: Host,
    words: Sequence[str] | str,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    locale: bool = False,
) -> Output:
    """Run a program and accept any exit code."""
    given = ({} if locale else _PLAIN) | dict(environment or {})
    split = words_of(words)
    return host.run([_place(host, split[0]), *split[1:]], environment=given, stdin=stdin)


def run_or_fail(host: Host, words: Sequence[str], what: str) -> Output:
    """Run a program; `what` comes before the error."""
    try:
        return execute(host, words)
    except ProviderError as error:
        raise ProviderError(f"{what}: {error}") from None


def _place(host: Host, program: str) -> str:
    found = host.which(program)
    if not found:
        raise ProviderError(f"Command {program} is missing")
    return found
