"""Data formats as Ruby reads and writes them: YAML (Psych), JSON and HOCON; nothing of Puppet."""
