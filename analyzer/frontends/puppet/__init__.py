"""Puppet manifests and templates: text to tree."""
