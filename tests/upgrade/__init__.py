"""What an upgrade of Puppet changes, and fixes that change nothing."""
