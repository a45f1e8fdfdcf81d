"""Puppet's functions beside the installed Puppet's."""
