"""Python code for lambdas that run often, in place of closures.

`writer.py` writes lines and tracks which variables have a value where; `values.py`, `operators.py`
and `choices.py` write expressions, each a fast path for common values and a call of what the
closures use for all others; `iterations.py` writes loops, `loops.py` makes functions of them.
An expression without a writer is evaluated by its closure. Nothing of a manifest becomes code:
its names and values stand in literals, or in the namespace of the function.
"""
