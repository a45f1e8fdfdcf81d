"""Software whose package, service and files have different names, which vary by distribution."""

from __future__ import annotations

from typing import NamedTuple


class Software(NamedTuple):
    """The names of one program: files and folders of its own, packages, and services."""

    paths: frozenset[str]
    packages: frozenset[str]
    services: frozenset[str]


def rows(*table: tuple[str, str, str]) -> tuple[Software, ...]:
    """Return the rows of a table of names."""
    return tuple(Software(*(frozenset(names.split()) for names in row)) for row in table)


# From the packages of Debian and Ubuntu, and of Red Hat's systems.
SOFTWARE = rows(
    ("/etc/ssh/sshd_config /etc/ssh/sshd_config.d", "openssh-server openssh", "ssh sshd"),
    ("/etc/ssh/ssh_config /etc/ssh/ssh_config.d", "openssh-client openssh-clients openssh", ""),
    ("/etc/apache2", "apache2", "apache2"),
    ("/etc/httpd", "httpd", "httpd"),
    ("/etc/bind /etc/named.conf /etc/named", "bind bind9", "bind9 named"),
    (
        "/etc/mysql /etc/my.cnf /etc/my.cnf.d",
        "default-mysql-server mariadb-server mysql-community-server mysql-server",
        "mariadb mysql mysqld",
    ),
    ("/etc/chrony /etc/chrony.conf", "chrony", "chrony chronyd"),
    ("/etc/ntp.conf /etc/ntpsec", "ntp ntpsec", "ntp ntpd ntpsec"),
    ("/etc/snmp/snmpd.conf", "net-snmp snmpd", "snmpd"),
    ("/etc/samba/smb.conf", "samba", "samba smb smbd"),
    (
        "/etc/dhcp/dhcpd.conf /etc/dhcp/dhcpd6.conf",
        "dhcp dhcp-server isc-dhcp-server",
        "dhcpd isc-dhcp-server",
    ),
    ("/etc/exports /etc/exports.d", "nfs-kernel-server nfs-utils", "nfs-kernel-server nfs-server"),
    ("/etc/libvirt", "libvirt libvirt-daemon libvirt-daemon-system", "libvirtd"),
    ("/etc/redis /etc/redis.conf", "redis redis-server", "redis redis-server"),
    ("/etc/docker", "docker docker-ce docker.io moby-engine", "docker"),
    ("/etc/avahi", "avahi avahi-daemon", "avahi-daemon"),
    ("/etc/ldap/slapd.conf /etc/openldap/slapd.conf", "openldap-servers slapd", "slapd"),
    (
        "/etc/nagios/nrpe.cfg /etc/nagios/nrpe.d /etc/nrpe.d",
        "nagios-nrpe-server nrpe",
        "nagios-nrpe-server nrpe",
    ),
    ("/etc/zabbix/zabbix_agentd.conf", "zabbix-agent", "zabbix-agent"),
    ("/etc/zabbix/zabbix_server.conf", "zabbix-server-mysql zabbix-server-pgsql", "zabbix-server"),
    ("/etc/munin/munin-node.conf /etc/munin/plugins", "munin-node", "munin-node"),
    ("/etc/crontab", "cron cronie", ""),
)

# The rows by each name of a path, a package or a service.
BY_PATH = {path: row for row in SOFTWARE for path in row.paths}
BY_SERVICE = {service: row for row in SOFTWARE for service in row.services}


def software_of_path(path: str) -> Software | None:
    """Return the program that a path, or the nearest folder above it, belongs to."""
    while path:
        if path in BY_PATH:
            return BY_PATH[path]
        path = path.rpartition("/")[0]
    return None


def software_of_service(name: str) -> Software | None:
    """Return the program that a service runs."""
    return BY_SERVICE.get(name.removesuffix(".service"))
