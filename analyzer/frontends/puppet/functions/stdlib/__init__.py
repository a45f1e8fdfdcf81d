"""The functions of puppetlabs-stdlib (8 and 9) that need no catalog, a file for each family.

Read `api.py` first, then any family. `checks/` asks questions about values, `data/` reads and
writes JSON, YAML and other languages, `strings/` works on text; `ruby.py` has Ruby's conversions.
`releases.py` has functions as other releases have them.
"""
