"""Puppet's own resource types: their descriptions, and their attributes with their values.

Each line describes an attribute: its name, a star if it is the namevar, the keywords that it
accepts (true, false and the `newvalues` of the type; other values may be valid too), and a
description. A test compares the names with `native.ATTRIBUTES`.
"""

from __future__ import annotations

MEANINGS = {
    "augeas": "Edits configuration files with Augeas",
    "cron": "Manages a crontab entry",
    "exec": "Runs a command",
    "file": "Manages a file, a directory or a symbolic link",
    "filebucket": "Defines where backups of files are stored",
    "group": "Manages a group of users",
    "host": "Manages an entry in the hosts file",
    "mount": "Manages a mounted file system and its fstab entry",
    "notify": "Logs a message during the run",
    "package": "Manages a package",
    "resources": "Purges resources of a type that are not in the catalog",
    "schedule": "Defines when, and how often, resources may be applied",
    "selboolean": "Manages an SELinux boolean",
    "selmodule": "Manages an SELinux policy module",
    "service": "Manages a service: whether it runs, and whether it starts at boot",
    "ssh_authorized_key": "Manages an SSH public key that may log in as a user",
    "sshkey": "Manages the SSH public key of a host in known_hosts",
    "stage": "Defines a run stage, whose classes are applied before or after those of other stages",
    "tidy": "Deletes old or large files from a directory",
    "user": "Manages a user",
    "yumrepo": "Manages a yum repository",
    "zone": "Manages a Solaris zone",
}

_ACCOUNT = """
allowdupe [true false] Allow an ID that is already in use
attribute_membership [inclusive minimum] Whether `attributes` is the complete list or only the \
minimum
attributes AIX attributes, as `key=value`
forcelocal [true false] Manage the local account even if a directory service has one
ia_load_module The AIX module that manages the account
system [true false] Create a system account, with a low ID
provider The backend to use; Puppet chooses one by default
"""

TABLES = {
    "exec": """
command* The command to run; must be fully qualified unless `path` is set
creates A path: run the command only if nothing exists there
cwd The working directory of the command
environment Environment variables, as `NAME=value`
group The group to run the command as
logoutput [true false on_failure] Whether to log the output; by default only on failure
onlyif A check: run the command only if the check exits with 0
path The search path for commands
provider [posix shell windows] How to run the command: directly or through a shell
refresh The command to run on a refresh event instead of `command`
refreshonly [true false] Run only on a refresh event
returns The exit codes that mean success; 0 by default
timeout Seconds until the command is stopped and fails; 300 by default, 0 for no limit
tries How many times to try the command until it succeeds
try_sleep Seconds between tries
umask The umask of the command
unless A check: run the command unless the check exits with 0
user The user to run the command as
""",
    "file": """
path* The fully qualified path of the file
ensure [file directory link present absent] Whether the file should exist, and as which type of file
content The contents of the file, as a string
source The file to copy: `puppet:///modules/NAME/FILE`, a path or an HTTP URL
target The path that a link points to
owner The user that owns the file
group The group that owns the file
mode The permissions, as a string: `'0644'` or `'u=rw,go=r'`
backup Where to back up the old contents: a filebucket, a suffix, or false
checksum [sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none] How \
to compare contents
checksum_value The expected checksum of the contents
ctime When the file was last changed, metadata included; read-only
force [true false] Allow a directory to be replaced or removed
ignore Patterns of files to skip during recursion
links [follow manage] Whether to follow symbolic links
max_files The maximum number of files that a recursion may manage
mtime When the contents were last changed; read-only
provider [posix windows] The backend to use; Puppet chooses one by default
purge [true false] Remove files in the directory that are not in the catalog
recurse [true false remote] Also manage the contents of the directory
recurselimit The maximum depth of a recursion
replace [true false] Whether to replace the contents of an existing file
selinux_ignore_defaults [true false] Do not apply the default SELinux context
selrange The SELinux range
selrole The SELinux role
seltype The SELinux type
seluser The SELinux user
show_diff [true false] Whether to log differences
source_permissions [use use_when_creating ignore] Whether to copy owner, group and mode from the \
source
sourceselect [first all] Whether to copy all sources of a list, or the first that exists
staging_location Where to write the new contents before they replace the file
type The type of the file; read-only
validate_cmd A command that checks the new contents; `%` stands for the path of the file
validate_replacement The placeholder for the path in `validate_cmd`; `%` by default
""",
    "filebucket": """
name* The name
path The directory of a local filebucket
port The port of the server
server The host name of a remote filebucket
""",
    "group": _ACCOUNT
    + """
name* The name
ensure [present absent] Whether the group should exist
auth_membership [true false] Whether `members` is the complete list; otherwise other members stay
gid The group ID
members The users in the group
""",
    "notify": """
name* The name
message The message; the title by default
withpath [true false] Whether to log the full containment path of the resource
""",
    "package": """
name* The name of the package
ensure [installed present absent purged disabled latest] The state of the package, or a version
provider The package manager, such as apt, dnf or pip; Puppet chooses one by default
source Where to find the package file
command The package manager command to use
install_options Options for the package manager, as strings or hashes
uninstall_options Options for removing the package
adminfile A file with installation defaults (Solaris)
allow_virtual [true false] Whether to accept virtual package names
allowcdrom [true false] Whether apt may use CD-ROM sources
category The category; read-only
configfiles [keep replace] Whether to keep or replace modified configuration files
description The description; read-only
enable_only [true false] Enable a module stream without installing it
flavor The flavor or module stream
install_only [true false] Install the package if missing, but never upgrade it
instance The instance; read-only
mark [hold none] Whether to hold the package at its version
package_settings Settings that depend on the provider
platform The platform; read-only
reinstall_on_refresh [true false] Reinstall the package on a refresh event
responsefile A file with answers to the questions of the installer
root The root directory; read-only
status The status; read-only
vendor The vendor; read-only
""",
    "resources": """
name* The resource type
purge [true false] Remove resources that are not in the catalog
unless_system_user [true false] Keep system users: true, or the highest UID of a system user
unless_uid UIDs of users to keep
""",
    "schedule": """
name* The name
period [hourly daily weekly monthly never] The period in which a resource may be applied
periodmatch [number distance] Compare calendar periods (`number`) or elapsed time (`distance`)
range The hours in which a resource may be applied: `2 - 4`
repeat How many times a resource may be applied in a period
weekday The days of the week on which a resource may be applied
""",
    "service": """
name* The name of the service
ensure [running stopped] Whether the service should be running
enable [true false manual mask delayed] Whether the service should start at boot
binary The path of the daemon, for systems without init scripts
control The control variable that manages the service (HP-UX)
flags Arguments to pass to the service
hasrestart [true false] Whether the init script supports `restart`
hasstatus [true false] Whether the init script supports `status`
logonaccount The account that a Windows service runs as
logonpassword The password of that account
manifest The SMF manifest, or a command that creates one (Solaris)
path The search path for init scripts
pattern The pattern to look for in the process table
provider [systemd init upstart openrc launchd smf windows] The service manager; Puppet chooses one \
by default
restart The command that restarts the service
start The command that starts the service
status The command that checks whether the service is running
stop The command that stops the service
timeout Seconds to wait for the service to change its state
""",
    "stage": "name* The name\n",
    "tidy": """
path* The directory or file to tidy
age Delete files older than this age: `4d`, `1w`
backup Where to back up deleted files: a filebucket, a suffix, or false
matches Delete only files whose names match these patterns
max_files The maximum number of files that a recursion may visit
recurse [true false inf] Whether to descend into subdirectories, or how deep
rmdirs [true false] Also delete directories that match and are empty
size Delete files larger than this size: `100k`, `5m`
type [atime mtime ctime] Which timestamp `age` compares
""",
    "user": _ACCOUNT
    + """
name* The name
ensure [present absent role] Whether the user should exist
uid The user ID
gid The primary group, by name or ID
groups The other groups
home The home directory
managehome [true false] Create and remove the home directory with the user
shell The login shell
password The hashed password, in the format of the system
comment The description, usually the full name
membership [inclusive minimum] Whether `groups` is the complete list or only the minimum
expiry [absent] When the account expires: `YYYY-MM-DD`
password_max_age The maximum number of days before the password must be changed
password_min_age The minimum number of days before the password may be changed
password_warn_days How many days before the password expires to warn the user
purge_ssh_keys [true false] Remove SSH keys that are not in the catalog
auth_membership [inclusive minimum] Whether `auths` is the complete list or only the minimum
auths The user's authorizations (Solaris)
iterations The number of iterations of the password hash (macOS)
key_membership [inclusive minimum] Whether `keys` is the complete list or only the minimum
keys Attributes of the user as key-value pairs (Solaris)
loginclass The login class (BSD)
profile_membership [inclusive minimum] Whether `profiles` is the complete list or only the minimum
profiles The user's rights profiles (Solaris)
project The user's project (Solaris)
role_membership [inclusive minimum] Whether `roles` is the complete list or only the minimum
roles The user's roles (Solaris)
salt The salt of the password hash (macOS)
""",
}
