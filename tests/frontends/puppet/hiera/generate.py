"""Environments at random: hiera.yaml of all layers, data, facts, and what is looked up in them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from .cases import ROOT, Ask, Case
from .generate_values import BROKEN_CONFIGS, BROKEN_DATA, FACTS, KEYS, Values

MERGES = ["first", "unique", "hash", "deep", "nosuch"]
DEEP = [
    {"strategy": "deep", "knockout_prefix": "--"},
    {"strategy": "deep", "sort_merged_arrays": True},
    {"strategy": "deep", "merge_hash_arrays": True},
    {"strategy": "deep", "knockout_prefix": "--", "merge_hash_arrays": True},
    {"strategy": "deep", "knockout_prefix": "x", "sort_merged_arrays": True},
    {"strategy": "deep", "nosuch": 1},
    {"strategy": "unique"},
    {"strategy": "hash", "x": 1},
]
PATHS = [
    "common.yaml",
    "os/%{facts.os.family}.yaml",
    "%{::role}.yaml",
    "nodes/%{trusted.certname}.yaml",
    "%{nope}.yaml",
    "../%{role}.yaml",
    "more.json",
    "%{facts.list.0}.yaml",
    "absent.yaml",
]
FILES = [
    "common.yaml",
    "os/Debian.yaml",
    "web.yaml",
    "nodes/node.example.com.yaml",
    "one.yaml",
    "two.yaml",
    "more.json",
    ".yaml",
]
GLOBS = [
    "*.yaml",
    "**/*.yaml",
    "{web,common}.yaml",
    "os/*.yaml",
    "?*e.yaml",
    "[cw]*.yaml",
    "*/*.yaml",
]


class Maker:
    """Makes one environment."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values = Values(random)

    def case(self, name: str) -> Case:
        """An environment and ten or so calls."""
        files: dict[str, str] = {}
        facts = {key: value for key, value in FACTS.items() if self.random.random() < 0.9}
        self._environment(files)
        self._global(files)
        for module in ("a", "b"):
            if self.random.random() < 0.6:
                self._module(files, module)
        strict = "error" if self.random.random() < 0.1 else "warning"
        asks = [self._ask() for _ in range(self.random.randint(6, 14))]
        return Case(name, files, asks, facts, strict)

    def _environment(self, files: dict[str, str]) -> None:
        chance = self.random.random()
        if chance < 0.04:
            files["hiera.yaml"] = self.random.choice(BROKEN_CONFIGS)
        elif chance < 0.08:
            files["hiera.yaml"] = self._version_4()
        elif chance < 0.96:
            files["hiera.yaml"] = self._config("data", False)
        self._data(files, "data/", None)
        if self.random.random() < 0.2:
            files["web.yaml"] = self._text(None)

    def _global(self, files: dict[str, str]) -> None:
        chance = self.random.random()
        if chance < 0.3:
            return
        if chance < 0.33:
            files["global/hiera.yaml"] = self.random.choice(BROKEN_CONFIGS)
        elif chance < 0.6:
            files["global/hiera.yaml"] = self._version_3()
        else:
            files["global/hiera.yaml"] = self._config("data", False)
        self._data(files, "global/data/", None)

    def _module(self, files: dict[str, str], module: str) -> None:
        folder = f"modules/{module}"
        files[f"{folder}/manifests/init.pp"] = ""
        chance = self.random.random()
        if chance < 0.03:
            files[f"{folder}/hiera.yaml"] = self.random.choice(BROKEN_CONFIGS)
        elif chance < 0.9:
            files[f"{folder}/hiera.yaml"] = self._config("data", True)
        self._data(files, f"{folder}/data/", module)
        if chance > 0.5:
            files[f"{folder}/defaults/common.yaml"] = self._text(module)

    def _config(self, datadir: str, module: bool) -> str:
        config: dict[str, Any] = {"version": 5}
        if self.random.random() < 0.5:
            config["defaults"] = {"datadir": datadir, "data_hash": "yaml_data"}
        if self.random.random() < 0.9:
            count = self.random.choice([0, 1, 2, 2, 3, 3, 4])
            config["hierarchy"] = [self._level(index) for index in range(count)]
        if module and self.random.random() < 0.5:
            level: dict[str, Any] = {"name": "d", "path": "common.yaml", "datadir": "defaults"}
            if "defaults" in config:
                level["data_hash"] = "yaml_data"
            config["default_hierarchy"] = [level]
        return json.dumps(config, indent=1) + "\n"

    def _level(self, index: int) -> dict[str, Any]:
        name = "twice" if self.random.random() < 0.02 else f"level {index}"
        level: dict[str, Any] = {"name": name}
        self._place(level)
        if "more.json" in json.dumps(level) and self.random.random() < 0.7:
            level["data_hash"] = "json_data"
        if self.random.random() < 0.1:
            level["datadir"] = self.random.choice(["data", "data/%{facts.os.name}", "other", "."])
        return level

    def _place(self, level: dict[str, Any]) -> None:
        kind = self.random.choice(
            ["path"] * 5 + ["paths"] * 3 + ["glob", "globs", "mapped_paths", "mapped_paths"]
        )
        if kind == "path":
            level["path"] = self.random.choice(PATHS)
        elif kind == "paths":
            level["paths"] = self.random.sample(PATHS, self.random.randint(1, 4))
        elif kind == "glob":
            level["glob"] = self.random.choice(GLOBS)
        elif kind == "globs":
            level["globs"] = self.random.sample(GLOBS, 2)
        else:
            variable = self.random.choice(["facts.list", "list", "role", "nope"])
            template = self.random.choice(
                ["%{item}.yaml", "os/%{item}.yaml", "%{item}/%{role}.yaml"]
            )
            if self.random.random() < 0.1:
                variable, template = "facts.os", "%{item.1}.yaml"
            elif self.random.random() < 0.02:
                variable = "num"
            level["mapped_paths"] = [variable, "item", template]

    def _version_3(self) -> str:
        config: dict[str, Any] = {
            ":backends": self.random.choice([["yaml"], ["json", "yaml"], "yaml", ["yaml", "json"]]),
            ":hierarchy": ["%{role}", "os/%{::facts.os.family}", "common"],
            ":yaml": {":datadir": f"{ROOT}/global/data"},
        }
        if "json" in config[":backends"]:
            config[":json"] = {":datadir": f"{ROOT}/global/data"}
        if self.random.random() < 0.5:
            config[":merge_behavior"] = self.random.choice(["deep", "deeper", "native"])
        if self.random.random() < 0.2:
            config[":deep_merge_options"] = {":knockout_prefix": "--"}
        if self.random.random() < 0.05:
            config[":nosuch"] = 1
        return "".join(_symbols(key, value) for key, value in config.items())

    def _version_4(self) -> str:
        levels = [
            {"name": "web", "backend": "yaml"},
            {"name": "os", "backend": "yaml", "path": "os/%{facts.os.family}"},
            {"name": "common", "backend": self.random.choice(["yaml", "nosuch", "yaml"])},
            {"name": "more", "backend": "json"},
        ]
        self.random.shuffle(levels)
        return json.dumps({"version": 4, "hierarchy": levels[: self.random.randint(0, 4)]}) + "\n"

    def _data(self, files: dict[str, str], folder: str, module: str | None) -> None:
        for name in FILES:
            if self.random.random() < 0.8:
                files[folder + name] = self._text(module)

    def _text(self, module: str | None) -> str:
        if self.random.random() < 0.02:
            return self.random.choice(BROKEN_DATA)
        data: dict[str, Any] = {}
        for key in KEYS:
            if (module is None or key.startswith(f"{module}::")) and self.random.random() < 0.6:
                data[key] = self.values.value(key)
        if self.random.random() < 0.3:
            data["lookup_options"] = self._options(module)
        if module is not None and self.random.random() < 0.2:
            data["outside"] = 1
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    def _options(self, module: str | None) -> Any:
        options: dict[str, Any] = {}
        for key in self.random.sample(KEYS, 3):
            if module is None or key.startswith(f"{module}::") or self.random.random() < 0.02:
                options[key] = self._option(module)
        if self.random.random() < 0.4:
            prefix = f"{module}::" if module else self.random.choice(["a::", "", "h", "k[12]"])
            options[f"^{prefix}{self.random.choice(['', '.*', '[a-z]$', 'x'])}"] = self._option(
                module
            )
        return options if self.random.random() < 0.98 else 5

    def _option(self, module: str | None) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if self.random.random() < 0.9:
            made["merge"] = self.merge()
        if self.random.random() < 0.1:
            # Puppet puts the type into the array; merged once more, that is no data.
            made["convert_to"] = ["Array", True] if module else "Sensitive"
        return made

    def merge(self) -> Any:
        """A name or a hash, seldom a wrong one."""
        if self.random.random() < 0.4:
            return self.random.choice(DEEP[:5] if self.random.random() < 0.9 else DEEP)
        return self.random.choice(MERGES[:4] if self.random.random() < 0.97 else MERGES)

    def _ask(self) -> Ask:
        key = self.values.key()
        function = self.random.choice(
            ["lookup"] * 8 + ["parameter"] * 3 + ["hiera", "hiera_array", "hiera_hash"]
        )
        if function == "lookup":
            return self._lookup(key)
        if function == "parameter":
            return Ask(function, (self.random.choice(["a::p", "b::q", "a::h", "a::none", key]),))
        block = (self.values.value("k1"),) if self.random.random() < 0.2 else ()
        if block or self.random.random() < 0.6:
            return Ask(function, (key,), block)
        override = ("two",) if self.random.random() < 0.4 else ()
        return Ask(function, (key, self.random.choice([None, 1, "d"]), *override))

    def _lookup(self, key: str) -> Ask:
        chance = self.random.random()
        if chance < 0.35:
            return Ask("lookup", (key,))
        if chance < 0.65:
            return Ask("lookup", (key, {"type": "Any"}, self.merge()))
        if chance < 0.75:
            return Ask("lookup", (key, None, self.merge(), "the default"))
        if chance < 0.82:
            return Ask("lookup", (key,), ("of the block",))
        if chance < 0.9:
            return Ask("lookup", ([key, self.values.key(), "k1"],))
        options = {"default_values_hash": {"k9": 1, "nope": "n"}, "merge": self.merge()}
        if chance < 0.95:
            options = {"default_value": [1], "override": {"k1": "overridden", "role": "db"}}
        return Ask("lookup", (key, options))


def _symbols(key: str, value: Any) -> str:
    """An entry with symbols as keys, as everybody writes them; they cannot stand in braces."""
    if not isinstance(value, dict):
        return f"{key}: {json.dumps(value)}\n"
    return f"{key}:\n" + "".join(f"  {name}: {json.dumps(item)}\n" for name, item in value.items())


def environments(seed: int, count: int) -> list[Case]:
    """So many cases, the same for the same seed."""
    return [Maker(Random(f"{seed}/{n}")).case(f"{seed}/{n}") for n in range(count)]
