"""Reads a hiera.yaml, of whichever version it is."""

from __future__ import annotations

import os
import re

from analyzer.formats.yaml_reader import YamlError, load
from analyzer.frontends.puppet.evaluate.ruby import class_name, inspect
from analyzer.frontends.puppet.hiera.errors import (
    PuppetFault,
    RubyFault,
    issue,
)
from analyzer.frontends.puppet.hiera.hierarchy.config import HieraConfig
from analyzer.frontends.puppet.hiera.hierarchy.config_v3 import DEFAULT_3, Config3
from analyzer.frontends.puppet.hiera.hierarchy.config_v4 import Config4
from analyzer.frontends.puppet.hiera.hierarchy.config_v5 import Config5
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles, Warn, names_to_strings


def load_config(path: str, layer: str, files: ParsedFiles, warn: Warn) -> HieraConfig:
    """Return the configuration of a file, or the default one where there is none.

    Raises:
        HieraError: it is broken.
    """
    root = os.path.dirname(path)
    if not os.path.exists(path):
        return Config5(root, None, {"version": 5}, layer, warn)
    try:
        data = files.read(path, load)
    except YamlError as error:
        raise PuppetFault(str(error)) from None
    if not isinstance(data, dict):
        warn(
            f"{path}: File exists but does not contain a valid YAML hash."
            " Falling back to Hiera version 3 default config"
        )
        data = dict(DEFAULT_3)
    version = _version(names_to_strings(data).get("version"))
    if version == 4 and layer == "global":
        raise issue("hiera.yaml version 4 cannot be used in the global layer", path)
    kinds: dict[int, type[HieraConfig]] = {3: Config3, 4: Config4, 5: Config5}
    if version not in kinds:
        message = f"This runtime does not support hiera.yaml version {version}"
        raise issue(message, path)
    config = kinds[version](root, path, data, layer, warn)
    config.place = files.place
    config.elsewhere = files.elsewhere
    return config


def _version(value: object) -> int:
    if value is None or value is False:
        return 3
    if isinstance(value, str):
        digits = re.match(r"\s*[-+]?\d+", value)
        return int(digits[0]) if digits else 0
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value)
    raise RubyFault(f"undefined method `to_i' for {inspect(value)}:{class_name(value)}")
