"""The three layers of Hiera: global, environment, module (pops/lookup/*_data_provider.rb)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.hiera.errors import LookupFault, NotFound
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig
from analyzer.frontends.puppet.hiera.hierarchy.config_v3 import Config3
from analyzer.frontends.puppet.hiera.hierarchy.levels import LevelHost
from analyzer.frontends.puppet.hiera.invocation import Invocation
from analyzer.frontends.puppet.hiera.scope import Hiera3Scope
from analyzer.frontends.puppet.hiera.values import schema
from analyzer.frontends.puppet.hiera.values.keys import LookupKey
from analyzer.frontends.puppet.hiera.values.merge import (
    Deep,
    FirstFound,
    Hash,
    MergeStrategy,
    Unique,
    strategy,
)
from analyzer.model.values import Value


class Layer:
    """Looks a key up in the levels of one hiera.yaml."""

    def __init__(self, host: LevelHost, load: Callable[[], HieraConfig]) -> None:
        self.host = host
        self._load = load
        self._config: HieraConfig | None = None

    @property
    def config(self) -> HieraConfig:
        """Return the configuration, read when it is first asked for.

        Raises:
            HieraError: it is broken.
        """
        if self._config is None:
            self._config = self._load()
        return self._config

    def fault(self, message: str) -> LookupFault:
        """Return a fault of the configuration."""
        return self.config.fault(message)

    def lookup(
        self, key: LookupKey, invocation: Invocation, merge: object, *, default: bool = False
    ) -> Value:
        """Return the value of the key's root, of the hierarchy or the default one.

        Raises:
            NotFound: there is none.
            LookupFault: the key is looked up for its own value.
        """
        with invocation.within(key.text):
            return self.search(key, invocation, strategy(merge), default)

    def search(
        self, key: LookupKey, invocation: Invocation, merge: MergeStrategy, default: bool = False
    ) -> Any:
        """Like `lookup`, without the check."""
        levels = self.config.levels(invocation, default)
        if not levels:
            raise NotFound
        return merge.lookup(levels, lambda level: level.lookup(key, invocation, merge, self.host))


class GlobalLayer(Layer):
    """The global layer; of version 3 it has rules of its own."""

    def __init__(
        self,
        host: LevelHost,
        load: Callable[[], HieraConfig],
        is_alone: Callable[[Invocation], bool],
    ) -> None:
        super().__init__(host, load)
        self._is_alone = is_alone

    def search(
        self, key: LookupKey, invocation: Invocation, merge: MergeStrategy, default: bool = False
    ) -> Any:
        config = self.config
        if not isinstance(config, Config3):
            return super().search(key, invocation, merge, default)
        if not isinstance(invocation.scope, Hiera3Scope):
            invocation = invocation.child(Hiera3Scope(invocation.scope))
            invocation.top_key = key.text
            invocation.global_only = invocation.global_only or self._is_alone(invocation)
        if (
            invocation.hiera_call
            and isinstance(merge, Hash)
            and not isinstance(config.merge_strategy, FirstFound)
        ):
            merge = config.merge_strategy
        value = super().search(key, invocation, merge)
        if invocation.hiera_call:
            _check_resolution(key, merge, value)
        return value


def _check_resolution(key: LookupKey, merge: MergeStrategy, value: object) -> None:
    if isinstance(merge, Hash | Deep):
        schema.check("value", schema.HashOf(), value)
    if key.segments and isinstance(merge, Hash | Unique):
        kind = "hash" if isinstance(merge, Hash) else "array"
        raise LookupFault(
            f"Resolution type :{kind} is illegal when accessing values using dotted keys."
            f" Offending key was '{key.text}'"
        )
