"""The graph for other tools: `view` is the exported graph, the other files write or reduce it."""
