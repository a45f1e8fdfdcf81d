"""Puppet's own resource types: their meanings, and their attributes with their values.

A line is an attribute: its name, a star if it names the resource, the words that it accepts (true,
false and the `newvalues` of the type; other values may be valid too), and its meaning.
`native.ATTRIBUTES` has the same names, which a test compares.
"""

from __future__ import annotations

MEANINGS = {
    "augeas": "Changes configuration files through Augeas",
    "cron": "Manages an entry of a crontab",
    "exec": "Runs a command",
    "file": "Manages a file, a directory or a symbolic link",
    "filebucket": "A place for backups of files",
    "group": "Manages a group of users",
    "host": "Manages an entry of the hosts file",
    "mount": "Manages a mounted file system and its entry in fstab",
    "notify": "Writes a message to the log of the run",
    "package": "Manages a package",
    "resources": "Manages all resources of a type: purges those that are not in the catalog",
    "schedule": "Hours and periods at which resources may be applied",
    "selboolean": "Manages a boolean of SELinux",
    "selmodule": "Manages a policy module of SELinux",
    "service": "Manages a service: whether it runs, and whether it starts at boot",
    "ssh_authorized_key": "Manages a public key that may log in as a user",
    "sshkey": "Manages the public key of a host in known_hosts",
    "stage": "A run stage: classes in it are applied before or after those of other stages",
    "tidy": "Deletes old or big files from a directory",
    "user": "Manages a user",
    "yumrepo": "Manages a repository of yum",
    "zone": "Manages a zone of Solaris",
}

_ACCOUNT = """
allowdupe [true false] Allow an id that is already in use
attribute_membership [inclusive minimum] Whether `attributes` is the complete list or the minimum
attributes Attributes of AIX, as `key=value`
forcelocal [true false] Manage the local account even where a directory service has one
ia_load_module The AIX module that manages the account
system [true false] Make it a system account, with a low id
provider How it is managed; chosen by the system
"""

TABLES = {
    "exec": """
command* The command to run; a full path, unless `path` is set
creates A file: the command runs only if the file does not exist
cwd The directory to run in
environment Variables of the environment, as `NAME=value`
group The group to run as
logoutput [true false on_failure] Whether to log the output; by default only on failure
onlyif A check: the command runs only if the check exits with 0
path Where commands are searched for
provider [posix shell windows] How the command runs: directly or through a shell
refresh The command to run instead of `command` on a refresh event
refreshonly [true false] Run only on a refresh event
returns The exit codes of success; 0 by default
timeout Seconds until the command counts as failed; 300 by default, 0 for no limit
tries How often to try until it succeeds
try_sleep Seconds between tries
umask The umask of the command
unless A check: the command runs unless the check exits with 0
user The user to run as
""",
    "file": """
path* The full path of the file
ensure [file directory link present absent] The type of file that must exist, or `absent`
content The text of the file
source Where to copy it from: `puppet:///modules/NAME/FILE`, a path or an http URL
target The file that a link points to
owner The user that owns the file
group The group that owns the file
mode Its permissions, as a string: `'0644'` or `'u=rw,go=r'`
backup Where the old content goes: a filebucket, a suffix, or false
checksum [sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none] How \
contents are compared
checksum_value The checksum that the content must have
ctime When it was changed; read only
force [true false] Replace or remove a directory
ignore Patterns of files that the recursion ignores
links [follow manage] Whether to follow symbolic links
max_files How many files a recursion may manage
mtime When its content was changed; read only
provider [posix windows] How it is managed; chosen by the system
purge [true false] Remove files in the directory that are not in the catalog
recurse [true false remote] Also manage the contents of the directory
recurselimit How deep a recursion goes
replace [true false] Replace a file that exists
selinux_ignore_defaults [true false] Do not change the SELinux context
selrange The range of SELinux
selrole The role of SELinux
seltype The type of SELinux
seluser The user of SELinux
show_diff [true false] Whether to log differences
source_permissions [use use_when_creating ignore] Whether to take permissions from the source
sourceselect [first all] Take all sources of a list, or the first that exists
staging_location Where the file is written first
type The type of the file; read only
validate_cmd A command that checks the new content; `%` is replaced by the path of the file
validate_replacement The placeholder for the file in `validate_cmd`
""",
    "filebucket": """
name* The name
path The directory of a local filebucket
port The port of the server
server The server of a remote filebucket
""",
    "group": _ACCOUNT
    + """
name* The name
ensure [present absent] Whether the group should exist
auth_membership [true false] Whether the provider is authoritative for the members
gid The id
members The users in it
""",
    "notify": """
name* The name
message The message; the title by default
withpath [true false] Log the whole path of the resource
""",
    "package": """
name* The name of the package
ensure [installed present absent purged disabled latest] The state, or a version
provider How it is installed: apt, dnf, yum, pip, gem; chosen by the system
source Where the package file is
command The command of the package manager
install_options Options for the package manager, as strings or hashes
uninstall_options Options for its removal
adminfile A file with defaults of the installation
allow_virtual [true false] Whether virtual package names are accepted
allowcdrom [true false] Whether apt may use a CD
category The category; read only
configfiles [keep replace] What happens to configuration files that were changed
description The description; read only
enable_only [true false] Enable a module stream without installing it
flavor The flavor or module stream
install_only [true false] Only install: an installed package is not changed
instance The instance; read only
mark [hold none] Hold the version
package_settings Settings of the provider
platform The platform; read only
reinstall_on_refresh [true false] Install again when it receives an event
responsefile A file with answers to the questions of the package
root The root directory; read only
status The status; read only
vendor The vendor; read only
""",
    "resources": """
name* The type of the resources
purge [true false] Remove those that are not in the catalog
unless_system_user [true false] Keep system users: true, or the highest id of them
unless_uid Ids of users to keep
""",
    "schedule": """
name* The name
period [hourly daily weekly monthly never] How often
periodmatch [number distance] Whether periods are those of the calendar or spans of time
range Hours, as `2 - 4`
repeat How often in a period
weekday The days of the week
""",
    "service": """
name* The name of the service
ensure [running stopped] Whether it runs
enable [true false manual mask delayed] Whether it starts at boot
binary The program, for systems without a service manager
control The variable that controls it, for init systems that have one
flags Arguments of the service
hasrestart [true false] Whether its script has `restart`
hasstatus [true false] Whether its script has `status`
logonaccount The account of a Windows service
logonpassword The password of that account
manifest The manifest of SMF, or the command to make one
path Where init scripts are
pattern What to look for in the list of processes
provider [systemd init upstart openrc launchd smf windows] How it is managed; chosen by the system
restart The command to restart it
start The command to start it
status The command to ask for its state
stop The command to stop it
timeout Seconds to wait for a change of its state
""",
    "stage": "name* The name\n",
    "tidy": """
path* The directory
age Delete files that are older: `4d`, `1w`
backup Whether to keep a backup
matches Patterns of the files that count
max_files How many files a recursion may look at
recurse [true false inf] How deep to go
rmdirs [true false] Delete empty directories, too
size Delete files that are bigger: `100k`, `5m`
type [atime mtime ctime] Which time counts for `age`
""",
    "user": _ACCOUNT
    + """
name* The name
ensure [present absent role] Whether it is to exist
uid The id
gid The primary group, by name or id
groups The other groups
home The home directory
managehome [true false] Create and remove the home directory with the user
shell The login shell
password The password, as the system hashes it
comment The description, usually the full name
membership [inclusive minimum] Whether `groups` are all there may be, or the least
expiry [absent] When the account expires: `YYYY-MM-DD`
password_max_age Days until the password must be changed
password_min_age Days until the password may be changed
password_warn_days Days before its end to warn
purge_ssh_keys [true false] Remove SSH keys that are not in the catalog
auth_membership [inclusive minimum] Whether `auths` are all there may be, or the least
auths Authorizations of Solaris
iterations Rounds of the hash of the password on macOS
key_membership [inclusive minimum] Whether `keys` are all there may be, or the least
keys Keys of Solaris
loginclass The login class of BSD
profile_membership [inclusive minimum] Whether `profiles` are all there may be, or the least
profiles Profiles of Solaris
project The project of Solaris
role_membership [inclusive minimum] Whether `roles` are all there may be, or the least
roles Roles of Solaris
salt The salt of the password on macOS
""",
}
