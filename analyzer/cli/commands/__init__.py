"""The commands: one file for each, with the command's name.

Read `cycles` first. A command has `USAGE`, `INPUTS`, `HELP`, `OPTIONS` and `run(options)`, which
returns the exit code. Commands do not import each other: shared code is in `cli.shared`, longer
reports are in `cli.reports`, and runs of `apply` in `cli.runs`.
"""
