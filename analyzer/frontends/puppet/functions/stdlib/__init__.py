"""The functions of puppetlabs-stdlib (8 and 9) that need no catalog, one file a family."""
