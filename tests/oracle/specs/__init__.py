"""The specs of Puppet and OpenVox as truth: recordings of them are given to catgraph.

A recording is a folder of JSON lines (`raw/*.jsonl`), each with what a spec gave to Puppet and what
Puppet made of it: `kind` is compile, eval, call, parse, type, assignable, instance, infer, graph or
traversal. Lines of the kind `failed` name examples that failed while they were recorded.

    python -m tests.oracle.specs FOLDER --source SOURCE [--version openvox-9]
"""
