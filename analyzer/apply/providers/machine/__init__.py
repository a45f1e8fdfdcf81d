"""This machine behind the port to a host: files, commands, accounts, backups."""
