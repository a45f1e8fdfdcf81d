"""CFEngine policies: parsed as cf-promises parses them, and evaluated as cf-agent does.

Each room uses only those before it: `syntax` (text to checked tree), `policy` (values: a policy
with its inputs, and what may happen in any run), `agent` (one simulated run, step by step).
"""
