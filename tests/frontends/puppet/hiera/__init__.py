"""Hiera beside that of real Puppet."""
