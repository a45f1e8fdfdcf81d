"""Upgrades: what breaks, changes and warns under another release of Puppet or OpenVox.

`compare` compiles a path under both releases and groups what differs by its cause, `legacy` finds
legacy facts in manifests, templates and data, `lacking` finds functions and types that the target
lacks, and `admission` the modules whose metadata does not admit it. `report` joins them.
"""
