"""The automatic relations of types from modules, one row each."""

from __future__ import annotations

from analyzer.graph.automatic import openstack as rules_openstack
from analyzer.graph.automatic.openstack import rows
from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.automatic.selectors import absolute, either, fixed, param
from analyzer.graph.automatic.selectors_modules import (
    acl_files,
    all_primitives,
    archive_files,
    binding_permissions,
    bound,
    certificate_of_key,
    chains,
    colocated,
    commit_cib,
    every,
    file_systems_above,
    first,
    grantee,
    guest,
    name_part,
    namevar,
    nearest_above,
    parent_of,
    permissions,
    policy_module,
    primitives,
    private_key,
    zone_path,
)
from analyzer.graph.automatic.selectors_windows import (
    acl_identities,
    acl_target,
    registry_key_above,
)
from analyzer.graph.labels import AUTOBEFORE, AUTONOTIFY, AUTOSUBSCRIBE

CLUSTER = fixed("corosync", "pacemaker")
FIREWALL_PACKAGES = fixed("iptables", "iptables-persistent", "iptables-services")
FIREWALL_SERVICES = fixed(
    "firewalld", "iptables", "ip6tables", "iptables-persistent", "netfilter-persistent"
)
MY_CNF = fixed("/root/.my.cnf")
VHOST = name_part("@", 1)

# Types whose blocks return nothing.
WITHOUT_ROWS = frozenset({"Concat_fragment", "Postgresql_psql"})

ROWS: tuple[AutoRelation, ...] = (
    *rows("acl", "acl", "File", acl_target),
    *rows("acl", "acl", "User", acl_identities),
    *rows("acl", "acl", "Group", acl_identities),
    *rows("alternatives", "alternatives", "Alternative_entry", first("path")),
    *rows("apache", "a2mod", "Package", fixed("httpd")),
    *rows("apt", "apt_key", "File", absolute("source")),
    *rows("archive", "archive", "File", archive_files),
    *rows("archive", "archive", "Exec", fixed("install_aws_cli")),
    *rows("concat", "concat_file", "File", namevar),
    *rows("congress", "congress_api_paste_ini", "Package", fixed("congress-server")),
    *rows("congress", "congress_config", "Package", fixed("congress")),
    # ------------------------------------------------------------------------ corosync
    *rows("corosync", "cs_rsc_defaults cs_shadow cs_clone cs_commit", "Service", CLUSTER),
    *rows("corosync", "cs_clone", "Cs_shadow", param("cib")),
    *rows("corosync", "cs_commit", "Cs_shadow", commit_cib),
    *rows("corosync", "cs_clone", "Cs_group", primitives("group")),
    *rows("corosync", "cs_clone", "Cs_primitive", primitives("primitive")),
    *(
        row
        for kind in ("primitive", "property", "colocation", "location", "group", "order")
        for row in rows("corosync", "cs_commit", f"Cs_{kind}", every(f"Cs_{kind}"), AUTOSUBSCRIBE)
    ),
    *rows(
        "corosync",
        "cs_colocation cs_group cs_location cs_primitive cs_property",
        "Cs_shadow",
        param("cib"),
    ),
    *rows(
        "corosync",
        "cs_colocation cs_group cs_location cs_primitive cs_property cs_order",
        "Service",
        CLUSTER,
    ),
    *rows("corosync", "cs_colocation", "Cs_clone", colocated),
    *rows("corosync", "cs_colocation", "Cs_primitive", colocated),
    *rows("corosync", "cs_group", "Cs_primitive", all_primitives),
    *rows("corosync", "cs_location", "Cs_primitive", primitives("primitive")),
    *rows("corosync", "cs_location", "Cs_clone", primitives("primitive")),
    *rows("corosync", "cs_location", "Cs_group", primitives("primitive")),
    *rows("corosync", "cs_order", "Cs_clone", primitives("first", "second")),
    *rows("corosync", "cs_order", "Cs_group", primitives("first", "second")),
    *rows("corosync", "cs_order", "Cs_primitive", primitives("first", "second")),
    *rows("corosync", "cs_order", "Cs_shadow", param("cib")),
    # ------------------------------------------------------------------------
    *rows("etcd", "etcd_key", "Service", fixed("etcd")),
    *rows("firewall", "firewall", "Firewallchain", chains),
    # A firewallchain has a block for services, but only for providers that it cannot have.
    *rows("firewall", "firewall firewallchain", "Package", FIREWALL_PACKAGES),
    *rows("firewall", "firewall", "Service", FIREWALL_SERVICES),
    *rows(
        "firewall",
        "firewall",
        "File",
        fixed("/etc/sysconfig/iptables", "/etc/sysconfig/ip6tables"),
        AUTOBEFORE,
    ),
    *rows("inifile", "ini_setting", "File", parent_of("path")),
    *rows("mongodb", "mongodb_replset", "Package", fixed("mongodb")),
    *rows("mongodb", "mongodb_replset", "Service", fixed("mongodb")),
    # The blocks for classes (mysql_database, mysql_user, postgresql_psql) have no effect: class is
    # not a resource type.
    *rows("mysql", "mysql_database mysql_grant mysql_plugin mysql_user", "File", MY_CNF),
    *rows("mysql", "mysql_grant", "Mysql_user", grantee),
    *rows("mysql", "mysql_datadir", "Package", fixed("mysql-server")),
    # A second block for files replaces the one for the template.
    *rows("openssl", "x509_cert", "File", private_key),
    *rows("openssl", "x509_cert", "Ssl_pkey", private_key),
    *rows("openssl", "x509_request", "X509_cert", certificate_of_key),
    *rows("openssl", "x509_request", "File", private_key),
    *rows("posix_acl", "posix_acl", "Posix_acl", nearest_above("Posix_acl")),
    *rows("posix_acl", "posix_acl", "File", either(acl_files, nearest_above("File"))),
    *rows("posix_acl", "posix_acl", "Package", fixed("acl")),
    # ------------------------------------------------------------------------ rabbitmq
    *rows("rabbitmq", "rabbitmq_binding", "Rabbitmq_exchange", bound("exchange")),
    *rows("rabbitmq", "rabbitmq_binding", "Rabbitmq_queue", bound("queue")),
    *rows("rabbitmq", "rabbitmq_binding", "Rabbitmq_user", guest),
    *rows("rabbitmq", "rabbitmq_binding", "Rabbitmq_user_permissions", binding_permissions),
    *rows(
        "rabbitmq",
        "rabbitmq_parameter rabbitmq_policy rabbitmq_user rabbitmq_user_permissions rabbitmq_vhost",
        "Service",
        fixed("rabbitmq-server"),
    ),
    *rows(
        "rabbitmq",
        "rabbitmq_exchange rabbitmq_queue rabbitmq_parameter rabbitmq_policy"
        " rabbitmq_user_permissions",
        "Rabbitmq_vhost",
        VHOST,
    ),
    *rows("rabbitmq", "rabbitmq_exchange rabbitmq_queue", "Rabbitmq_user", guest),
    *rows("rabbitmq", "rabbitmq_exchange rabbitmq_queue", "Rabbitmq_user_permissions", permissions),
    *rows("rabbitmq", "rabbitmq_user_permissions", "Rabbitmq_user", name_part("@", 0)),
    # ------------------------------------------------------------------------
    *rows("registry", "registry_key registry_value", "Registry_key", registry_key_above),
    *rows("selinux_core", "selmodule", "File", policy_module),
    *rows("stdlib", "file_line", "File", param("path")),
    *rows("vcsrepo", "vcsrepo", "Package", fixed("git", "git-core")),
    *rows("vswitch", "vs_port", "Vs_bridge", param("bridge")),
    *rows("vswitch", "vs_bridge vs_config vs_port", "Service", fixed("openvswitch")),
    # For any `restart`: its `false` is a symbol, which is true in Ruby.
    *rows("vswitch", "vs_config", "Service", fixed("restart openvswitch"), AUTONOTIFY),
    *rows("zfs_core", "zfs", "Zpool", name_part("/", 0)),
    *rows("zfs_core", "zfs", "Zfs", file_systems_above),
    *rows("zone_core", "zone", "File", zone_path),
    *rows("zone_core", "zone", "Zfs", param("dataset")),
    *rules_openstack.ROWS,
)
