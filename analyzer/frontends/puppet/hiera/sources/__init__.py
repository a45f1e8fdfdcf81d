"""Files of data: YAML, JSON, HOCON, and values that hiera-eyaml has encrypted."""
