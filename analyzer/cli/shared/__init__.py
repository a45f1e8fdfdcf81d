"""Used by several commands: options, input and output, the statement of completeness, --watch."""
