"""Shared by several commands: options, input and output, the completeness statement, --watch."""
