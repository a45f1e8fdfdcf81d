"""`Type.new`; read `new.py` first. A constructor is a tuple of overloads in Puppet's signatures.

`numbers`, `values` and `objects` hold the constructors by kind. `strings` and `containers` convert
values to text in the `formats` of String.new; `ruby_format` is Ruby's `format`.
"""
