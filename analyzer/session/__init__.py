"""Turns files into catalogs, graphs and findings for the command line and the screens.

`inputs` reads catalogs and compiles manifests, with the `settings` of a configuration and of the
options. `lint` checks manifests and catalogs, `worlds` searches for what holds only with other
facts or parameters, `repository` has what is known about a whole checkout.
"""
