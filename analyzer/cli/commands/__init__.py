"""The commands, a file each, named as on the command line.

Read `cycles` first. A command has `USAGE`, `INPUTS`, `HELP`, `OPTIONS` and `run(options)`, which
returns the exit code. Commands do not import each other: what several need is in `cli.shared`,
longer reports in `cli.reports`, and runs of `apply` in `cli.runs`.
"""
