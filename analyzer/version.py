"""The version of catgraph."""

VERSION = "0.1.0"
