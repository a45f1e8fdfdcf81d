"""The records of a folder, and the reasons for leaving some out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

Record = dict[str, Any]

EVALUATED = ("compile", "eval", "call")
TYPES = ("type", "assignable", "instance", "infer")
# A scope as it is before anything is compiled.
EMPTY_BASE: Record = {
    "env": {"name": "production", "modulepath": [], "dir": None, "manifest": ""},
    "node": "test",
    "settings": {"strict": "error", "strict_variables": "true", "rich_data": "true"},
}

# Doubles that change nothing of a compile: what is logged, counted, or passed through.
_HARMLESS = re.compile(
    r"=$|^Puppet\.(\w*warning|warn_once|debug|notice|err|log_exception|run_mode)|Puppet::Util::Log"
    r"|#(warning|debug|notice|err|info|exit|exit_on_fail)$|^any Puppet::(Type|Application)"
    r"|^(Time\.now|IO#|Facter\.|Process\.|Kernel\.|Signal|Syslog|WebMock|ENV|Etc\.|Dir\.entries)"
    r"|CommandLineArgs#args|Indirection#(find|save)$|save_last_run_summary|Puppet::Application::"
    r"|EvaluationError\.new|^RSpec::Mocks::Double#|Puppet::Util::(Profiler|Execution|Storage)"
    r"|Puppet::Parser::Scope#(warning|lookupvar_no)|Puppet::(Transaction|Network|HTTP)"
    r"|^Puppet::Type::\w+#(file|line|retrieve|exists)|^Puppet::Provider|Puppet::Util::Platform"
    r"|^Puppet::FileSystem\.(unlink|chmod)"
)
# Those that matter where only a text is read, or a graph is made.
_TOUCHING = re.compile(
    r"Pops|Loader|Puppet::Parser|Puppet\.\[\]|Catalog#|Graph|Puppet::Type|unknown"
)
_NOW = re.compile(r"strftime\(\s*(['\"])[^'\"]*\1\s*(,\s*'[^']*'\s*)?\)|Timestamp(\.new)?(\(\)|$)")
_NO_DATA = "__no_data"


@dataclass(slots=True)
class Recording:
    """A folder of records; `source` is the source of the Puppet whose specs they are of."""

    folder: Path
    source: Path
    failed: set[tuple[str | None, str | None]] = field(default_factory=set)

    def records(self, kinds: Iterable[str]) -> Iterator[Record]:
        """Yield the records of some kinds, each input once."""
        self._find_failed()
        seen = set()
        for record in self._lines():
            if record["id"] in seen or record["kind"] not in kinds:
                continue
            seen.add(record["id"])
            if record["kind"] in ("eval", "call"):
                given = {**EMPTY_BASE["settings"], **(record.get("settings") or {})}
                record["base"] = record.get("base") or {**EMPTY_BASE, "settings": given}
            yield record

    def _lines(self) -> Iterator[Record]:
        for path in sorted(self.folder.glob("raw/*.jsonl")):
            for line in path.read_text(encoding="utf-8").split("\n"):
                # The last line of a process that was stopped is cut off.
                if line.endswith("}"):
                    yield json.loads(line)

    def _find_failed(self) -> None:
        for path in self.folder.glob("raw/*.log"):
            text = path.read_text(encoding="utf-8", errors="replace")
            places = re.findall(r"^rspec \./(\S+:\d+) #", text, re.M)
            self.failed |= {(place, None) for place in places}
        for record in self._lines():
            if record["kind"] == "failed":
                self.failed.add((record["spec"], record["example"]))

    def why_unusable(self, record: Record) -> str | None:
        """Return why a record is no truth for catgraph, None if it is."""
        spec = record.get("spec")
        if {(spec, None), (spec, record.get("example"))} & self.failed:
            return "example failed while it was recorded"
        if record.get("unrecorded"):
            return "not recorded"
        if any(_is_harmful(record, one) for one in record.get("doubles") or []):
            return "doubles"
        reason = _of_ruby(record)
        if reason is None and record["kind"] in EVALUATED:
            reason = self._of_base(record) or _of_evaluation(record)
        return reason or _OF_KIND[record["kind"]](record)

    def _of_base(self, record: Record) -> str | None:
        base = record.get("base") or record
        if base.get("unrecorded"):
            return "not recorded"
        inputs = [base.get(key) for key in ("params", "facts", "trusted", "classes", "vars")]
        if any(isinstance(one, dict) and _NO_DATA in one for one in [*inputs, record.get("vars")]):
            return "inputs are no data"
        files = base.get("files") or {}
        if any(path.endswith(".rb") for path in files) or self._has_ruby(base["env"]):
            return "Ruby files in modules"
        return _of_settings(base.get("settings") or {}) or _of_files(files)

    def _has_ruby(self, env: Record) -> bool:
        """Return whether modules or data among the fixtures of the specs are written in Ruby."""
        below = f"{self.source}/"
        folders = (env.get("dir"), *env["modulepath"])
        return any(has_ruby(one) for one in folders if one and one.startswith(below))


@cache
def has_ruby(folder: str) -> bool:
    """Return whether there is a file in Ruby below a folder."""
    names = (name for _, _, names in os.walk(folder) for name in names)
    return any(name.endswith((".rb", ".erb")) for name in names)


def _is_harmful(record: Record, double: str) -> bool:
    touching = record["kind"] in EVALUATED or _TOUCHING.search(double)
    return bool(touching) and not _HARMLESS.search(double)


def _of_ruby(record: Record) -> str | None:
    names = {name.lower() for name in record.get("ruby") or ()}
    if "filesystem.overlay" in names:
        return "files in memory"
    base = record.get("base") or record
    texts = [record.get("source"), base.get("code"), record.get("name")]
    texts += [*(base.get("files") or {}).values(), *(record.get("refs") or [])]
    text = "\n".join(each for each in texts if isinstance(each, str)).lower()
    words = set(re.findall(r"\w+(?:::\w+)*", text))
    if any(name.startswith("typecollection:") for name in names):
        return "definitions added in Ruby"
    if any(name in words or name.split("::")[-1] in words for name in names):
        return "defined by the spec in Ruby"
    return None


def _of_settings(settings: Record) -> str | None:
    if settings.get("rich_data") != "true":
        return "rich_data off"
    if settings.get("strict") == "error" and settings.get("strict_variables") != "true":
        return "strict_variables off"
    if settings.get("storeconfigs") == "true":
        return "storeconfigs"
    return "tasks" if settings.get("tasks") == "true" else None


def _of_files(files: dict[str, str]) -> str | None:
    if "__too_large" in files:
        return "files too large"
    if any("eyaml" in text for text in files.values()):
        return "eyaml, whose library Puppet did not have"
    if any("fake_cwd" in path for path in files):
        return "another working directory"
    configs = (text for path, text in files.items() if path.endswith("hiera.yaml"))
    if any(
        re.search(r"^:?backends:", text, re.M) and re.search("custom|other|hieraspec", text)
        for text in configs
    ):
        return "Hiera backends in Ruby"
    return None


def _of_evaluation(record: Record) -> str | None:
    base = record.get("base") or record
    code = (record.get("source") or "") + (base.get("code") or "")
    if "LookupContext.new" in code:
        return "a LookupContext made by hand"
    if _NOW.search(code):
        return "depends on the time"
    if record.get("unserializable"):
        return "not serialisable"
    return None


def _of_compile(record: Record) -> str | None:
    other = record.get("parsed_code", "") != record.get("code", "")
    if record.get("prepopulated") and other and record.get("code"):
        return "environment reused for other code"
    return None


def _of_eval(record: Record) -> str | None:
    base, later = record["base"], record.get("settings") or {}
    before = base.get("settings") or {}
    if any(later.get(key) != before.get(key) for key in ("strict", "strict_variables")):
        return "settings changed after the compile"
    if "#<" in str(record.get("value")):
        return "value without a literal"
    compiled = record.get("compiled") or re.fullmatch(r"(undef|\s)*", base.get("code") or "")
    return None if compiled or record["kind"] == "call" else "code of scope not evaluated"


def _of_call(record: Record) -> str | None:
    arguments, name = " ".join(record["arguments"]), record.get("name") or "::"
    literal = r"Puppet::|^\w+ = |#<| = (Pattern|Regexp)\["
    if "::" in name or re.search(literal, arguments):
        return "arguments without a literal"
    if "/tmp/" in arguments or (record.get("spec") or "").startswith("spec/unit/puppet_pal"):
        return "files or functions of the spec"
    if name == "inline_epp" or (name == "lookup" and record.get("vars")):
        return "scope of another class or block"
    return _of_eval(record)


def _of_parse(record: Record) -> str | None:
    if not (record.get("path") or "/").startswith("/"):
        return "made-up path"
    untold = record.get("pn") is None and not record.get("error")
    return "tree not recorded" if untold else None


def _of_graph(record: Record) -> str | None:
    return None if record.get("source") or record.get("document") else "no catalog"


_RUBY_TYPES = re.compile(
    r"Runtime\[|TypeReference|\bAnnotation\b|Object\[|TypeSet\[|Puppet::|Pcore|\bMy|#<|TestA"
    r"|Deferred|\bUnit\b|= [A-Z]"
)
_LITERAL_TYPES = re.compile(
    r"(Type|Array|Hash|Variant|Optional|Tuple|Struct|Enum|Pattern|String|Class|Resource)\["
)


def _of_type(record: Record) -> str | None:
    parts = [str(record.get(key)) for key in ("source", "left", "right", "value")]
    if _RUBY_TYPES.search(" ".join(parts)):
        return "types of Ruby"
    if record["kind"] == "type":
        if record.get("context"):
            return "type in context"
        named = re.match(r"\s*[A-Z]", record["source"])
        return "text that is no type" if record.get("error") and not named else None
    right = record["right"]
    typed = re.match(r"[A-Z]\w*\[[A-Za-z_]", right)
    opaque = bool(typed) and not _LITERAL_TYPES.match(right)
    if record["kind"] == "infer":
        version = re.match(r"[<>=]*\d+\.\d+\.\d+", right)
        opaque = opaque or right.endswith("\\'") or bool(version)
    if record["kind"] != "assignable" and (opaque or right == "'object'"):
        return "value without a literal"
    return None


_OF_KIND: dict[str, Callable[[Record], str | None]] = {
    "compile": _of_compile,
    "eval": _of_eval,
    "call": _of_call,
    "parse": _of_parse,
    "graph": _of_graph,
    "traversal": _of_graph,
    **dict.fromkeys(TYPES, _of_type),
}
