"""The places that values, resources and decisions of a compile come from (a dynamic slice).

Units that are made ready for a `Trace` report each value that they evaluate; others pay nothing.
"""
