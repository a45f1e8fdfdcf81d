"""The graph for other tools: `view` is what is exported, the other files write or reduce it."""
