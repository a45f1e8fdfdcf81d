"""CFEngine policies: parsed as cf-promises parses them."""
