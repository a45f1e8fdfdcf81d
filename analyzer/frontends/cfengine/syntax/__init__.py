"""Parses and checks the text of one policy file.

Begin with `check`: it parses a file and lists its problems. `macros` and `lexer` make tokens,
`parser` and `build` the tree of `ast`, with `class_expressions`, `json_text` and the messages of
`parse_messages`; `validate` and `ranges` refuse what CFEngine refuses; `vocabulary` has its names.
`tree_json` writes a tree as `cf-promises -p json` does.
"""
