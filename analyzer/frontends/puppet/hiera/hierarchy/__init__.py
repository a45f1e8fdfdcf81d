"""From a hiera.yaml to layers, levels and locations of data. Read `config.py` first."""
