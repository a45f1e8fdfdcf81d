"""Classes that come from the machine, the time or the command line, not from a policy."""

from __future__ import annotations

import re
from functools import lru_cache

# Names of systems and families as the agent sets them, with versions behind them (sysinfo.c).
SYSTEMS = (
    "aix alinux almalinux alpine alpine_linux alpinelinux amazon amazon_linux amzn android arch"
    " archlinux centos container coreos cumulus cygwin darwin debian devuan docker eos fedora"
    " flatcar freebsd gentoo hp_ux hpux illumos junos kali linux linuxmint mac_os mac_os_x macos"
    " mandrake mandriva manjaro mingw minix mint mips netbsd nixos openbsd opensuse openvz openwrt"
    " oracle oraclelinux osx photon podman pop qnx raspbian redhat redhat_derived rhel rocky"
    " rockylinux scientific scientific_linux sles slackware slackware_derived smartos solaris"
    " solarisx86 sunos sunos_sun4u sunos_sun4v sunx86 suse termux trisquel ubuntu unix_sv vmware"
    " windows wrlinux xen zenwalk cray_os lsb_compliant have_aptitude systemd sysv bsd unix"
)
TIME = (
    # Time (generic_agent.c, timeutils.c).
    r"(?:GMT_)?(?:Hr\d\d?(?:_Q[1-4])?|Min\d\d(?:_\d\d)?|Q[1-4]|Day\d\d?|Yr\d{4}|Lcycle_[0-2])",
    r"(?:GMT_)?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
    r"(?:GMT_)?(?:January|February|March|April|May|June|July|August|September|October|November)",
    r"(?:GMT_)?(?:December|Night|Morning|Afternoon|Evening)",
)
PARTS = (
    *TIME,
    # Processors and virtual machines.
    r"(?:x86|amd64|i[3-6]86|ia64|arm\w*|aarch64|ppc\w*|s390x?|sparc\w*|mips\w*|64_bit|32_bit)",
    r"(?:kvm|qemu|virt_\w+|virtual_machine|hyper_?v|lxc|bhyve|zone|globalzone|non_global_zone)\w*",
    r"\d+_cpus?|cpu_\w+",
    r"[Ww]indows_\w+",
    # The network and the host's own names.
    r"(?:ipv[46]|mac|net_iface|ip)_\w+|localhost\w*",
    # CFEngine itself and its options.
    r"any|common|agent|server|monitor|executor|runagent|keygenerator|hub|reporter|cf_\w+",
    r"(?:cfengine|community|enterprise|nova|constellation|core)(?:_edition|_\d\w*)?",
    r"am_policy_hub|policy_server|am_public_hub|bootstrap_mode|failsafe_fallback|opt_dry_run",
    r"(?:debug|verbose|inform|dry_run|simulate)_mode|DEBUG|DEBUG_\w+|PK_\w+|_have_\w+|have_\w+",
    r"cfe_\w+|mpf_\w+|default_policy|update_\w+|compiled_on_\w+|feature(?:_\w+)?|mission_portal_\w+",
    # What cf-monitord finds (env_monitor.c).
    r"\w+_(?:high|low|normal)(?:_(?:ldt|dev\d|anomaly|microanomaly|normal|dev\d_anomaly))?",
    r"entropy_\w+|anomaly_\w+|\w+_(?:in|out)_(?:high|low)\w*",
)
SYSTEM = rf"(?:\w+_)?(?:{SYSTEMS.replace(' ', '|')})(?:_\w+|\d+)?"
NAMES = re.compile(rf"(?:{'|'.join(PARTS)}|{SYSTEM})", re.ASCII)
OF_SYSTEM = re.compile(rf"(?:{'|'.join(TIME)}|{SYSTEM})", re.ASCII)
# A machine is at most one of these.
EXCLUSIVE = frozenset(
    ("aix", "freebsd", "hpux", "linux", "macos", "netbsd", "openbsd", "solaris", "windows")
)


@lru_cache(maxsize=4096)
def comes_from_outside(name: str) -> bool:
    """Return whether the agent itself may set a class on some machine."""
    return NAMES.fullmatch(name) is not None


def is_of_system(name: str) -> bool:
    """Return whether a class is that of a system, a distribution or a time."""
    return OF_SYSTEM.fullmatch(name) is not None
