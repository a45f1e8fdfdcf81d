"""Facts about resource types that the graph needs: namevars, refresh, isomorphism.

Read from Puppet 7.23 and the modules that ship the types (key_attributes, title_patterns,
isomorphic?, refresh). A type that is not listed has the namevar `name` and does not refresh.
"""

from __future__ import annotations

# The namevars other than `name`.
NAMEVARS: dict[str, str] = {
    "Apt_key": "id",
    "Archive": "path",
    "Concat_file": "path",
    "Cs_shadow": "cib",
    "Datacat_collector": "path",
    "File": "path",
    "Mysql_datadir": "datadir",
    "Posix_acl": "path",
    "Rabbitmq_erlang_cookie": "path",
    "Registry_key": "path",
    "Registry_value": "path",
    "Ssl_pkey": "path",
    "Vcsrepo": "path",
    "Vs_port": "port",
    "Wait_for": "query",
    "X509_cert": "path",
    "X509_request": "path",
}

# Two of these may share a namevar, so it is not a second name.
NOT_ISOMORPHIC = frozenset({"Exec", "Tidy"})

# Several key attributes: no single one of them is a second name.
COMPOSITE = frozenset(
    {
        "Alternative_entry",
        "Keystone_endpoint",
        "Keystone_service",
        "Keystone_tenant",
        "Keystone_user",
        "Keystone_user_role",
        "Package",
        "Sshkey",
    }
)

# A rewritten or composed key finds these (analyzer.graph.second_names.SECOND_NAMES).
SECOND_NAMED = frozenset(
    {
        "Alternative_entry",
        "Apt_key",
        "Keystone_endpoint",
        "Keystone_service",
        "Keystone_tenant",
        "Keystone_user",
        "Mysql_grant",
        "Mysql_user",
        "Tempest_flavor_id_setter",
        "Tempest_glance_id_setter",
        "Tempest_neutron_net_id_setter",
    }
)

# Types that change the titles of their resources (`def title`): the title in the catalog only
# serves containment (analyzer.graph.second_names.ral_title).
RETITLED = frozenset({"Sshkey"})

# Types whose resources generate others before the graph is built, from the catalog alone
# (analyzer.graph.generated.GENERATORS).
GENERATING = frozenset({"Concat_file", "Cs_shadow", "Posix_acl"})

# Types with a `refresh` method; containers have one too.
REFRESHABLE = frozenset(
    {
        "Anchor",
        "Cs_commit",
        "Exec",
        "Ini_setting",
        "Mount",
        "Package",
        "Postgresql_psql",
        "Service",
        "Wait_for",
    }
)

# Types that are refreshed after their own changes too (self_refresh).
SELF_REFRESHING = frozenset({"Mount"})

# The resources that Puppet adds to every catalog (Catalog#make_default_resources), in its order.
BUILT_IN = (
    ("Schedule", "puppet"),
    ("Schedule", "hourly"),
    ("Schedule", "daily"),
    ("Schedule", "weekly"),
    ("Schedule", "monthly"),
    ("Schedule", "never"),
    ("Filebucket", "puppet"),
)
