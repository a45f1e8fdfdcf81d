"""What versions of Puppet and OpenVox make of the same programs."""
