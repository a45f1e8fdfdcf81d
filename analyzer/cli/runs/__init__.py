"""The parts of `catgraph apply`: providers of the host, a real run, a policy's run, results."""
