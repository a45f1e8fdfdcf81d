"""Hiera 5: a key through the global layer, the environment and the module (lookup_adapter.rb)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import inspect
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig
from analyzer.frontends.puppet.hiera.hierarchy.config_v5 import legacy_function
from analyzer.frontends.puppet.hiera.hierarchy.layers import GlobalLayer, Layer
from analyzer.frontends.puppet.hiera.hierarchy.levels import FUNCTION, Function, LevelHost
from analyzer.frontends.puppet.hiera.hierarchy.load import load_config
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles, Reader
from analyzer.frontends.puppet.hiera.values.keys import OPTIONS, OPTIONS_KEY, LookupKey
from analyzer.frontends.puppet.hiera.values.merge import strategy
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

from .environment import HieraEnvironment
from .errors import HieraError, LookupFault, NotFound, PuppetFault, issue
from .explain import LookupExplanation, LookupStep, Read
from .invocation import Invocation, Strict
from .options import LookupOptions, compiled, option, validated
from .scope import MISSING, Hiera3Scope, LookupScope
from .services import Services

CONFIG = "hiera.yaml"
Find = Callable[[LookupKey, Invocation, Any], Any]


class Lookup:
    """The data of one node, in one environment.

    `global_config` is the path of the global hiera.yaml, which need not exist; `module_dirs` the
    modulepath. `strict` is Puppet's setting: `error` refuses unknown variables, in paths only
    if those are `strict_paths`. `files` may be
    shared by the lookups of several nodes.
    """

    def __init__(
        self,
        global_config: str | Path | None,
        environment_dir: str | Path | None,
        module_dirs: Sequence[str | Path],
        scope: LookupScope,
        *,
        strict: Strict = "warning",
        strict_paths: bool = False,
        files: ParsedFiles | None = None,
        services: Services | None = None,
    ) -> None:
        self.scope = scope
        self.environment = HieraEnvironment(environment_dir, module_dirs)
        self.strict, self.strict_paths = strict, strict_paths
        self.files = files or ParsedFiles()
        self.services = services or Services()
        # Where lookups note the places that they asked and the variables, None: they do not.
        self.steps: list[LookupStep] | None = None
        self.read: list[Read] | None = None
        # The variables that decide about `lookup_options`, which are looked up once.
        self._options_read: list[Read] = []
        self._warned: set[str] = set()
        self._readers: dict[str, Reader] = {}
        self._global = self._global_layer(global_config)
        self._environment: list[Layer | None] = []
        self._modules: dict[str, Layer | None] = {}
        self._options: dict[str | None, LookupOptions] = {}
        self._global_options: list[dict[str, Value] | None] = []
        self._environment_options: list[dict[str, Value] | None] = []
        self._default_options: dict[str, LookupOptions] = {}

    def at(self, scope: LookupScope) -> Lookup:
        """Return the same lookup, for calls in another scope of the same node."""
        other = copy(self)
        other.scope = scope
        return other

    def invocation(
        self, overrides: dict[str, object] | None = None, defaults: dict[str, object] | None = None
    ) -> Invocation:
        """Return a new lookup that is within no other."""
        return Invocation(
            scope=self.scope,
            find=self._interpolated,
            overrides=overrides or {},
            defaults=defaults or {},
            strict=self.strict,
            warn=self.warn,
            strict_paths=self.strict_paths,
            steps=self.steps,
            read=self.read,
        )

    def warn(self, message: str) -> None:
        """Warn once."""
        if message not in self._warned:
            self._warned.add(message)
            if self.services.warn is not None:
                self.services.warn(message)

    def parameter(self, name: str) -> Any:
        """Look up a class's parameter, `class::param`; MISSING if it has no value.

        Raises:
            HieraError: the lookup fails.
        """
        try:
            return self.find(name, self.invocation(), None)
        except NotFound:
            return MISSING

    def explain(self, key: str, merge: object = None) -> LookupExplanation:
        """Return which layers, levels and files were asked for a key, and what they said.

        Raises:
            HieraError: the lookup fails.
        """
        invocation = self.invocation()
        invocation.steps = []
        explanation = LookupExplanation(key, merge=merge, steps=invocation.steps)
        if merge is None and key.split(".", maxsplit=1)[0] != OPTIONS:
            explanation.merge = self.merge_of(key)
            explanation.merge_from_options = explanation.merge is not None
        try:
            explanation.value = self.find(key, invocation, merge)
            explanation.found = True
        except NotFound:
            pass
        return explanation

    def merge_of(self, key: str) -> Value:
        """Return the merge that `lookup_options` ask for, None if they do not."""
        quiet, parts = self.invocation().child(), LookupKey(key)
        quiet.steps, quiet.module_name = None, parts.module_name
        return option(self._options_of(parts, quiet), "merge")

    def find(self, text: str, invocation: Invocation, merge: object) -> Any:
        """Return the value of a key, merged and converted as asked for or as `lookup_options` say.

        Raises:
            NotFound: there is none.
            HieraError: the lookup fails.
        """
        if text == OPTIONS or text.startswith(f"{OPTIONS}."):
            raise NotFound
        try:
            return self._found(LookupKey(text), invocation, merge)
        except RecursionError:
            if invocation.depth:
                raise
            raise LookupFault("stack level too deep") from None

    def _found(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        invocation.top_key, invocation.module_name = key.text, key.module_name
        options = self._options_of(key, invocation)
        if merge is None:
            merge = option(options, "merge")
        return self._converted(
            key, option(options, "convert_to"), self._data(key, invocation, merge)
        )

    def _data(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        try:
            return self._through_layers(key, invocation, merge)
        except NotFound:
            if invocation.global_only:
                raise
        return key.dig(self._in_default_hierarchy(key, invocation))

    def _through_layers(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        if invocation.global_only:
            return key.dig(self._in_global(key, invocation, merge))
        chosen = strategy(merge)
        stack: list[Find] = [self._in_global, self._in_environment, self._in_module]
        return key.dig(chosen.lookup(stack, lambda find: find(key, invocation, chosen)))

    def _converted(self, key: LookupKey, convert_to: object, value: object) -> Value:
        if convert_to is None:
            return value
        kind, *arguments = convert_to if isinstance(convert_to, list) else [convert_to]
        types = self.services.types
        if types is None or isinstance(value, Unknown):
            return Unknown(f"conversion of '{key.text}' to {inspect(kind)}")
        if isinstance(kind, str):
            try:
                kind = types.parse(kind)
            except HieraError as error:
                raise LookupFault(
                    f"Invalid data type in lookup_options for key '{key.text}' could not parse"
                    f" '{kind}', error: '{error}"
                ) from None
        try:
            return types.new(kind, value, arguments)
        except HieraError as error:
            raise LookupFault(
                f"The convert_to lookup_option for key '{key.text}' raised error: {error}"
            ) from None

    def _interpolated(self, invocation: Invocation, key: str) -> Value:
        """Return the value of `%{lookup('key')}`: an empty string if there is nothing."""
        scope = invocation.scope
        if isinstance(scope, Hiera3Scope) and not invocation.global_only:
            scope = scope.scope
        LookupKey(key)
        within = invocation.child(scope, deeper=1)
        if key in within.overrides:
            return within.overrides[key]
        try:
            return self.find(key, within, None)
        except NotFound:
            return within.defaults.get(key, "")

    # The layers

    def _in_global(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        if self._global is None:
            raise NotFound
        try:
            return self._global.lookup(key, invocation, merge)
        except LookupFault as fault:
            if fault.issue:
                raise
            raise PuppetFault(f"Lookup of key '{invocation.top_key}' failed: {fault}") from fault

    def _in_environment(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        layer = self.environment_layer()
        if layer is None:
            raise NotFound
        return layer.lookup(key, invocation, merge)

    def _in_module(self, key: LookupKey, invocation: Invocation, merge: object) -> Value:
        return self._module_layer(invocation.module_name).lookup(key, invocation, merge)

    def _in_default_hierarchy(self, key: LookupKey, invocation: Invocation) -> Value:
        layer = self._module_layer(invocation.module_name)
        if not layer.config.has_default_hierarchy:
            raise NotFound
        options = self._default_options_of(layer, invocation).of(key.root)
        return layer.lookup(key, invocation, option(options, "merge"), default=True)

    def _default_options_of(self, layer: Layer, invocation: Invocation) -> LookupOptions:
        name = invocation.module_name or ""
        if name not in self._default_options:
            meta = invocation.for_options(self._options_read)
            found = self._try(lambda: layer.lookup(OPTIONS_KEY, meta, "hash", default=True))
            self._default_options[name] = compiled(validated(found, name))
        return self._default_options[name]

    def has_environment_data(self) -> bool:
        """Return whether the environment has a hiera.yaml of version 5."""
        try:
            layer = self.environment_layer()
            return layer is not None and layer.config.version >= 5
        except RecursionError:
            raise LookupFault("stack level too deep") from None

    def environment_layer(self) -> Layer | None:
        """Return the layer of the environment, None if it has no data.

        Raises:
            HieraError: its hiera.yaml is broken.
        """
        if not self._environment:
            folder = self.environment.folder
            self._environment.append(
                None
                if folder is None
                else self._layer("environment", folder, self.environment.data_provider, None)
            )
        return self._environment[0]

    def _module_layer(self, name: str | None) -> Layer:
        if name is None:
            raise NotFound
        if name not in self._modules:
            folder = self.environment.module(name)
            provider = self.environment.module_data_provider(name)
            layer = None if folder is None else self._layer("module", folder, provider, name)
            self._modules[name] = layer
        found = self._modules[name]
        if found is None:
            raise NotFound
        return found

    def _layer(
        self, kind: str, folder: str, provider: str | None, module: str | None
    ) -> Layer | None:
        """Return the layer of an environment or module; the old settings count without a version
        5.
        """
        path = os.path.join(folder, CONFIG)
        layer = self._lower(kind, path, module)
        exists = os.path.exists(path)
        if exists and layer.config.version == 3:
            # A repository may hold the file that the server has for all environments.
            if self.strict == "error" and self.services.strict:
                article = "an" if kind == "environment" else "a"
                raise issue(f"hiera.yaml version 3 cannot be used in {article} {kind}", path)
            where = "the environment root" if kind == "environment" else "module root"
            self.warn(f"hiera.yaml version 3 found at {where} was ignored")
            exists = False
        if provider in (None, "none") or (exists and layer.config.version >= 5):
            return (
                layer
                if (exists and provider != "none") or (exists and layer.config.version >= 5)
                else None
            )
        if provider == "hiera":
            return layer
        function = f"{module}::data" if module else "environment::data"
        return Layer(layer.host, lambda: legacy_function(folder, function, kind, self.warn))

    def _lower(self, kind: str, path: str, module: str | None) -> Layer:
        name = f'Module "{module}"' if module else "Environment"
        return self._made(name, lambda: load_config(path, kind, self.files, self.warn), module)

    def _made(self, name: str, load: Callable[[], HieraConfig], module: str | None) -> Layer:
        layer = Layer(self._host(name, module), load)
        layer.host.fault = layer.fault
        return layer

    def _global_layer(self, path: str | Path | None) -> GlobalLayer | None:
        if path is None:
            return None
        where = os.path.abspath(path)
        layer = GlobalLayer(
            self._host("Global", None),
            lambda: load_config(where, "global", self.files, self.warn),
            lambda _invocation: not self.has_environment_data(),
        )
        layer.host.fault = layer.fault
        return layer

    def _host(self, name: str, module: str | None) -> LevelHost:
        return LevelHost(
            name, self.files, self._function, issue, self.strict, module, self._readers
        )

    def _function(self, kind: str, name: str) -> Function | None:
        if not self.environment.has_function(name):
            reason = f"{FUNCTION.format(kind, name)}, which no installed module has"
            absent = Unknown(f"{reason} (--modulepath DIRS)")
            return None if self.services.strict else lambda *_: absent
        if self.services.functions is not None:
            return self.services.functions
        return lambda kind, name, *_: Unknown(FUNCTION.format(kind, name))

    # lookup_options

    def _options_of(self, key: LookupKey, invocation: Invocation) -> Value:
        module = key.module_name
        if module not in self._options:
            self._options[module] = self._retrieved(module, invocation)
        if invocation.read is not None:
            invocation.read += self._options_read
        return self._options[module].of(key.root)

    def _retrieved(self, module: str | None, invocation: Invocation) -> LookupOptions:
        meta = invocation.for_options(self._options_read)
        if meta.global_only:
            return compiled(self._options_of_global(meta))
        merged = self._options_of_environment(meta)
        if module is None:
            return compiled(merged)
        self._options.setdefault(None, compiled(merged))
        found = self._try(lambda: self._in_module(OPTIONS_KEY, meta, "hash"))
        return compiled(_merged(merged, validated(found, module)))

    def _options_of_global(self, meta: Invocation) -> dict[str, Value] | None:
        if not self._global_options:
            # An error is raised once: for the next key Puppet takes the layer as read, and empty.
            self._global_options.append(None)
            found = self._try(lambda: self._in_global(OPTIONS_KEY, meta, "hash"))
            self._global_options[0] = validated(found, None)
        return self._global_options[0]

    def _options_of_environment(self, meta: Invocation) -> dict[str, Value] | None:
        if not self._environment_options:
            above = self._options_of_global(meta)
            found = self._try(lambda: self._in_environment(OPTIONS_KEY, meta, "hash"))
            self._environment_options.append(_merged(above, validated(found, None)))
        return self._environment_options[0]

    def _try(self, find: Callable[[], object]) -> Value:
        try:
            return find()
        except NotFound:
            return None


def _merged(first: dict[str, object] | None, second: dict[str, object] | None) -> JsonObject | None:
    if first is None or second is None:
        return first or second
    merged: dict[str, Value] = strategy("hash").merge(first, second)
    return merged
