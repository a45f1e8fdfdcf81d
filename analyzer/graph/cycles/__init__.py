"""Dependency cycles: found and explained (`search`), broken (`cuts`, by `statements`).

`puppet_text` is the message that Puppet itself would log.
"""
