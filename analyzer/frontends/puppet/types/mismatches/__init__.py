"""Mismatches of types and arguments, in Puppet's words; `describe.py` finds them."""
