"""The documentation, and the programs that build its site."""
