"""Attributes of the types in the modules that Puppet's packages ship with, such as cron_core.

The format is that of `puppet_types`. If a workspace contains such a module, the documentation in
the module takes precedence.
"""

from __future__ import annotations

TABLES = {
    "augeas": """
name* The name
changes The changes to make, as Augeas commands
context The prefix of relative paths in `changes` and `onlyif`
force [true false] Run the commands even if Augeas sees nothing to change
incl The only file to load; requires `lens`
lens The lens that parses the file of `incl`
load_path Extra directories to search for lenses
onlyif A check, as an Augeas command and a comparison: make the changes only if it is true
provider The backend to use; Puppet chooses one by default
returns The expected return code
root The root of the file system
show_diff [true false] Whether to log differences
type_check [true false] Whether Augeas type-checks lenses
""",
    "cron": """
name* The name, which Puppet writes as a comment into the crontab
ensure [present absent] Whether the crontab entry should exist
command The command to run
user The user whose crontab contains the entry; root by default
minute Minutes, 0 to 59
hour Hours, 0 to 23
monthday Days of the month, 1 to 31
month Months, 1 to 12 or names
weekday Days of the week, 0 to 7 or names
special A named time, such as `reboot` or `daily`
environment Environment variables, as `NAME=value`
provider The backend to use; Puppet chooses one by default
target The crontab; the user's by default
""",
    "host": """
name* The host name
ensure [present absent] Whether the entry should exist
ip The IP address
host_aliases Aliases of the host
comment A comment at the end of the entry
provider The backend to use; Puppet chooses one by default
target The file; the hosts file by default
""",
    "mount": """
name* The path of the mount point
ensure [mounted unmounted present absent defined] Whether the file system should be mounted, or \
only listed in fstab
device The device to mount
fstype The type of the file system
options The mount options
atboot [yes no] Whether to mount the file system at boot
dump The dump frequency in fstab: 0, 1 or 2
pass The pass in which fsck checks the file system
blockdevice The device for fsck to check
remounts [true false] Whether the file system can be remounted in place
provider The backend to use; Puppet chooses one by default
target The file; fstab by default
""",
    "selboolean": """
name* The name of the boolean
value [on off true false] The value of the boolean
persistent [true false] Whether the value persists across reboots
provider The backend to use; Puppet chooses one by default
""",
    "selmodule": """
name* The name of the policy module
ensure [present absent] Whether the policy module should be loaded
selmoduledir The directory of the compiled policy modules
selmodulepath The full path of the compiled policy module
syncversion [true false] Reload the module if the version on disk differs
provider The backend to use; Puppet chooses one by default
""",
    "ssh_authorized_key": """
name* The comment of the key
ensure [present absent] Whether the key should exist
user The user who may log in
type [ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-dss] \
The type of the key
key The key itself, without type and comment
options Options of the key, as an array
target The file; the user's authorized_keys file by default
drop_privileges [true false] Whether to write the file as the user
provider The backend to use; Puppet chooses one by default
""",
    "sshkey": """
name* The name of the host
ensure [present absent] Whether the key should exist
type [ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-dss] \
The type of the key
key The key itself, without type and host name
host_aliases Aliases of the host
target The file; the system's known_hosts file by default
provider The backend to use; Puppet chooses one by default
""",
}
