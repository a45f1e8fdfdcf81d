"""Tests of Puppet code in Python: compile a role, then assert what its catalog holds.

`pytest_plugin` has the fixtures and is the module to read first; `checks` has the assertions,
`manifest` writes the Puppet code that declares the class or define under test.
"""
