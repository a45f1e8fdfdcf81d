"""What each type of resource changes, a file each, over the port to a host."""
