"""The commands as a user calls them: what is printed where, and the exit codes."""
