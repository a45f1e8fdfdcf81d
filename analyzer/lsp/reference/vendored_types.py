"""Attributes of the types in the modules that come with packages of Puppet, such as cron_core.

The form is that of `puppet_types`. If a workspace has such a module, the module's file is used.
"""

from __future__ import annotations

TABLES = {
    "augeas": """
name* The name
changes The changes, as commands of Augeas
context What the paths of `changes` and `onlyif` begin with
force [true false] Run the changes even if they seem to change nothing
incl The file to load, with `lens`
lens The lens for the file
load_path Where lenses are searched for
onlyif A check in the language of Augeas
provider How it is managed; chosen by the system
returns The result that is expected
root The root of the file system
show_diff [true false] Whether to log differences
type_check [true false] Whether lenses are checked
""",
    "cron": """
name* The name, a comment in the crontab
ensure [present absent] Whether it is to exist
command The command
user The user whose crontab it is in; root by default
minute Minutes, 0 to 59
hour Hours, 0 to 23
monthday Days of the month, 1 to 31
month Months, 1 to 12 or names
weekday Days of the week, 0 to 7 or names
special A named time, such as `reboot` or `daily`
environment Variables of the environment, as `NAME=value`
provider How it is managed; chosen by the system
target The crontab; that of the user
""",
    "host": """
name* The name of the host
ensure [present absent] Whether it is to exist
ip The address
host_aliases Other names of the host
comment A comment behind the entry
provider How it is managed; chosen by the system
target The file; the hosts file by default
""",
    "mount": """
name* The path of the mount point
ensure [mounted unmounted present absent defined] Whether it is mounted, or only in fstab
device What is mounted
fstype The type of the file system
options The options of the mount
atboot [yes no] Whether it is mounted at boot
dump Whether dump saves it: 0, 1 or 2
pass The pass of fsck in which it is checked
blockdevice The device to check
remounts [true false] Whether it can be remounted
provider How it is managed; chosen by the system
target The file; fstab by default
""",
    "selboolean": """
name* The name of the boolean
value [on off true false] Its value
persistent [true false] Whether it outlasts a restart
provider How it is managed; chosen by the system
""",
    "selmodule": """
name* The name of the policy module
ensure [present absent] Whether it is to be loaded
selmoduledir The directory with policy modules
selmodulepath The file of the policy module
syncversion [true false] Load it again if the file has another version
provider How it is managed; chosen by the system
""",
    "ssh_authorized_key": """
name* The comment of the key
ensure [present absent] Whether it is to be there
user The user who may log in
type [ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-dss] \
The kind of the key
key The key, without type and comment
options Options of the key, a list
target The file; that of the user by default
drop_privileges [true false] Whether to write it as the user
provider How it is managed; chosen by the system
""",
    "sshkey": """
name* The name of the host
ensure [present absent] Whether it is to be there
type [ssh-ed25519 ssh-rsa ecdsa-sha2-nistp256 ecdsa-sha2-nistp384 ecdsa-sha2-nistp521 ssh-dss] \
The kind of the key
key The key
host_aliases Other names of the host
target The file; the known_hosts of the system by default
provider How it is managed; chosen by the system
""",
}
