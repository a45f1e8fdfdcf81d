"""The functions of Puppet and of puppetlabs-stdlib, one file a family."""
