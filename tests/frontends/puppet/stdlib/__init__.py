"""Functions of puppetlabs-stdlib beside the installed module's."""
