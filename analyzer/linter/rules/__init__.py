"""The rules, one file each; the folder names what a rule looks at."""
