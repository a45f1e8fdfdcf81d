"""Installs the modules that a repository declares, from a Forge and from git, without Ruby."""
