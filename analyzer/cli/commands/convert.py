"""`catgraph convert`: convert tests of rspec-puppet to pytest."""

from __future__ import annotations

from analyzer.cli.shared.options import Option
from analyzer.cli.shared.output import emit, print_error, usage_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.cli.convert.files import ConvertedFile
    from analyzer.cli.shared.options import Options

USAGE = "SPEC"
INPUTS = (1, 1)
HELP = """Convert tests of rspec-puppet in the folder SPEC to pytest, with the assertions of
catgraph. Files are written to the folder 'tests' beside SPEC; one that exists is never
overwritten. An example that cannot be converted stays as a comment, with the reason, and is
counted. Nothing of a spec is run. Exit code 1 if something was not converted."""
OPTIONS = (Option("--into", "write to DIR", metavar="DIR"),)


def run(options: Options) -> int:
    """Write the files; print what became of each."""
    from pathlib import Path

    from analyzer.cli.convert.files import convert

    folder = Path(options.inputs[0])
    if not folder.is_dir():
        return usage_error("convert", f"{folder} is not a folder")
    target = Path(options.into) if options.into else folder.parent / "tests"
    files = list(convert(folder))
    if not files:
        return usage_error("convert", f"there is no *_spec.rb in {folder}")
    there = [target / file.name for file in files if file.tests and (target / file.name).exists()]
    if there:
        return usage_error("convert", f"{there[0]} is there already; name another folder: --into")
    for file in files:
        write(file, target)
    tests, left = sum(file.tests for file in files), sum(file.left for file in files)
    unread = sum(bool(file.reason) for file in files)
    print(f"{tests} examples converted, {left} left as comments, {unread} files not read")
    return int(bool(left or unread))


def write(file: ConvertedFile, target: Path) -> None:
    """Write a file with at least one test, and print its numbers."""
    if file.reason:
        print_error(f"{file.source}: not read: {file.reason}")
    elif not file.tests:
        print_error(f"{file.source}: none of {file.left} examples can be converted")
    else:
        place = target / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        emit(file.text, str(place))
        print(f"{place}: {file.tests} converted, {file.left} left")
