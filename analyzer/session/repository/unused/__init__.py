"""The parts of a repository that nothing uses: no node reaches them, whatever its inputs are.

A name that a text has anywhere, but in a comment, counts as a use: what is reported is too little
rather than too much. Names that are computed leave open what they may stand for.
"""
