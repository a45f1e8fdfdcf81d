"""Reports of runs: what Puppet writes is read, what is written Puppet reads."""
