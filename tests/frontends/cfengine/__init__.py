"""The CFEngine front end: trees, orders and findings against what real CFEngine says."""
