"""Functions in Ruby reach nothing outside of the compile, and end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analyzer import compile
from analyzer.model.values import Unknown


def value_of(body: str, folder: Path) -> object:
    """Return the value of a function with that body."""
    place = folder / "m" / "lib" / "puppet" / "functions" / "m"
    place.mkdir(parents=True)
    text = f"Puppet::Functions.create_function(:'m::f') do\n def f(*a)\n{body}\n end\nend\n"
    (place / "f.rb").write_text(text, encoding="utf-8")
    facts = {"kernel": "Linux"}
    catalog = compile(
        code="notify { 'x': message => m::f([1], 'a') }", modulepath=[str(folder)], facts=facts
    )
    (found,) = (one for one in catalog.resources if one.type == "Notify")
    return found.parameters["message"]


@pytest.mark.parametrize(
    "body",
    [
        "File.read('/etc/passwd')",
        "File.write('MARK', 'x')",
        "`touch MARK`",
        "%x(touch MARK)",
        "system('touch MARK')",
        "Kernel.exec('touch MARK')",
        "IO.popen('touch MARK').read",
        "open('|touch MARK')",
        "eval('1')",
        "instance_eval('1')",
        "Object.const_get(:File).read('/etc/passwd')",
        "a[1].send(:system, 'touch MARK')",
        "a[0].class.class.new",
        "'File'.constantize",
        "method(:system).call('touch MARK')",
        "Puppet::Util::Execution.execute('touch MARK')",
        "Time.now.to_s",
        "rand(5)",
        "ENV['HOME']",
        "$stdout.puts('x')",
        "binding",
        "__FILE__",
        "a[0] << 2",
        "a[1] << 'b'",
    ],
)
def test_what_a_function_in_ruby_cannot_do(body: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    value = value_of(body.replace("MARK", str(mark)), tmp_path / "modules")
    assert isinstance(value, Unknown)
    assert not mark.exists()


@pytest.mark.parametrize(
    "body",
    [
        "while true; end",
        "f(*a)",
        "s = 'x'; 100.times { s = s + s }; s",
        "s = 'x'; while true do s << s.dup end",
        "l = [1]; 100.times { l = l + l }; l",
        "l = [1]; while true do l << 1 end",
        "'x' * 999999999999",
        "[1] * 999999999999",
        "(1..999999999999).to_a",
        "x = 3; while true do x = x * x end",
        "2 ** 999999999999",
        "1 << 999999999999",
        "'a'.ljust(999999999999)",
    ],
)
def test_a_function_in_ruby_is_bounded(body: str, tmp_path: Path) -> None:
    start = time.process_time()
    value = value_of(body, tmp_path / "modules")
    assert isinstance(value, Unknown)
    assert time.process_time() - start < 5
