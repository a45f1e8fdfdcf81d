"""The answers to an editor's requests: a file for each, each with one function `answer`.

`table` has a row for each; the server imports a feature at its first request.
"""
