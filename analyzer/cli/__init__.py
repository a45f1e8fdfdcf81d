"""The command line: `catgraph COMMAND [INPUT...] [options]`."""

from analyzer.cli.entry import main as main
