"""Providers, in a folder that is a root, and against real Puppet."""
