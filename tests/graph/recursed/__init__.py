"""Folders with `recurse`: the files that they bring, as Puppet generates them."""
