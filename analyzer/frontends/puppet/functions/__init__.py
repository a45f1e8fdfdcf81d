"""The functions of Puppet and of puppetlabs-stdlib, a file for each family.

Read `registry.py` first: how a function is declared and called. `core/` has Puppet's own, `stdlib/`
those of puppetlabs-stdlib; a `families.py` names the module of each function, so that only that is
imported. `releases.py` says which releases of a module agree with ours.
"""
