"""Reports of runs: read, written, measured, matched to a graph (Puppet::Transaction::Report)."""
