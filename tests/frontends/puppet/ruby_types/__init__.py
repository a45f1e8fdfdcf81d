"""Types of resources read from Ruby files, against what Puppet says that has loaded them."""
