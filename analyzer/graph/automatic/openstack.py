"""The automatic relations of the OpenStack modules, one row each."""

from __future__ import annotations

from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.automatic.selectors import fixed, param
from analyzer.graph.automatic.selectors_modules import first, name_part, namevar
from analyzer.graph.automatic.selectors_openstack import (
    domain_config_dir,
    domains,
    endpoint_service,
    node_groups,
    role_domains,
    role_project,
    role_user,
)
from analyzer.graph.labels import AUTONOTIFY, AUTOREQUIRE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.graph.automatic.selectors import Selector


def rows(
    module: str, types: str, target: str, selector: Selector, kind: int = AUTOREQUIRE
) -> Iterator[AutoRelation]:
    """Yield one row for each of a module's types, given in lower case and separated by spaces."""
    for name in types.split():
        source = f"{module}/lib/puppet/type/{name}.rb"
        yield AutoRelation(name.capitalize(), kind, target, selector, source)


def anchored(module: str, state: str, types: str) -> Iterator[AutoRelation]:
    """Yield the rows of types that wait for their module's anchor."""
    return rows(module, types, "Anchor", fixed(f"{module}::{state}::end"))


# Entries of configuration files wait until the module's packages are installed.
INSTALLED = {
    "aodh": "aodh_api_paste_ini aodh_api_uwsgi_config aodh_config",
    "barbican": "barbican_api_paste_ini barbican_api_uwsgi_config barbican_config",
    "ceilometer": "ceilometer_config ceilometer_rootwrap_config",
    "cinder": "cinder_api_paste_ini cinder_api_uwsgi_config cinder_config cinder_rootwrap_config",
    "cloudkitty": "cloudkitty_api_paste_ini cloudkitty_api_uwsgi_config cloudkitty_config",
    "designate": (
        "designate_api_paste_ini designate_api_uwsgi_config designate_config"
        " designate_rootwrap_config designate_tlds_config"
    ),
    "etcddiscovery": "etcddiscovery_config",
    "glance": (
        "glance_api_config glance_api_paste_ini glance_api_uwsgi_config glance_cache_config"
        " glance_image_import_config glance_rootwrap_config glance_swift_config"
    ),
    "gnocchi": "gnocchi_api_paste_ini gnocchi_api_uwsgi_config gnocchi_config",
    "heat": "heat_api_cfn_uwsgi_config heat_api_paste_ini heat_api_uwsgi_config heat_config",
    "ironic": "ironic_config ironic_inspector_config",
    "keystone": (
        "keystone_config keystone_domain_config keystone_puppet_config keystone_uwsgi_config"
    ),
    "magnum": "magnum_api_paste_ini magnum_config",
    "manila": "manila_api_paste_ini manila_api_uwsgi_config manila_config manila_rootwrap_config",
    "mistral": "mistral_config",
    "murano": (
        "murano_cfapi_config murano_cfapi_paste_ini_config murano_config murano_paste_ini_config"
    ),
    "neutron": (
        "eswitchd_config ironic_neutron_agent_config neutron_agent_linuxbridge"
        " neutron_agent_macvtap neutron_agent_ovs neutron_agent_vpp neutron_api_paste_ini"
        " neutron_api_uwsgi_config neutron_bgp_dragent_config neutron_bgpvpn_bagpipe_config"
        " neutron_bgpvpn_service_config neutron_config neutron_dhcp_agent_config"
        " neutron_l2gw_agent_config neutron_l2gw_service_config neutron_l3_agent_config"
        " neutron_metadata_agent_config neutron_metering_agent_config neutron_mlnx_agent_config"
        " neutron_plugin_ml2 neutron_plugin_nuage neutron_rootwrap_config"
        " neutron_sfc_service_config neutron_sriov_agent_config neutron_vpnaas_agent_config"
        " neutron_vpnaas_service_config ovn_metadata_agent_config"
    ),
    "nova": (
        "libvirtd_config nova_api_metadata_uwsgi_config nova_api_paste_ini"
        " nova_api_uwsgi_config nova_config nova_rootwrap_config virtlockd_config"
        " virtlogd_config virtnodedevd_config virtproxyd_config virtqemud_config"
        " virtsecretd_config virtstoraged_config"
    ),
    "octavia": "octavia_api_uwsgi_config octavia_config octavia_ovn_provider_config",
    "panko": "panko_api_paste_ini panko_api_uwsgi_config panko_config",
    "placement": "placement_api_uwsgi_config placement_config",
    "sahara": "sahara_api_paste_ini sahara_api_uwsgi_config sahara_config",
    "swift": (
        "swift_account_config swift_account_uwsgi_config swift_bench_config swift_config"
        " swift_container_config swift_container_reconciler_config"
        " swift_container_sync_realms_config swift_container_uwsgi_config"
        " swift_dispersion_config swift_drive_audit_config swift_internal_client_config"
        " swift_keymaster_config swift_memcache_config swift_object_config"
        " swift_object_expirer_config swift_proxy_config swift_proxy_uwsgi_config"
    ),
}

# Clients of a service wait until it runs.
SERVED = {
    "cinder": "cinder_qos cinder_type",
    "glance": "glance_image",
    "keystone": "keystone_domain keystone_endpoint keystone_role keystone_service",
    "manila": "manila_type",
    "mistral": "mistral_workflow",
    "neutron": (
        "neutron_l3_ovs_bridge neutron_network neutron_port neutron_router"
        " neutron_router_interface neutron_security_group neutron_subnet"
    ),
    "nova": "nova_aggregate nova_flavor nova_service",
    "sahara": "sahara_cluster_template sahara_node_group_template",
}

ACCOUNTS = fixed("keystone::service::end", "default_domain_created")
TENANT = first("tenant_name", "project_name")
CLIENTS = fixed("python-openstackclient", "python3-openstackclient")

ROWS: tuple[AutoRelation, ...] = (
    *(row for module, types in INSTALLED.items() for row in anchored(module, "install", types)),
    *(row for module, types in SERVED.items() for row in anchored(module, "service", types)),
    *rows("barbican", "barbican_secret", "Service", fixed("barbican-api")),
    # ------------------------------------------------------------------------ keystone
    *rows("keystone", "keystone_domain_config", "File", domain_config_dir),
    *rows(
        "keystone",
        "keystone_domain_config",
        "Keystone_config",
        fixed("identity/domain_config_dir"),
    ),
    *rows("keystone", "keystone_domain_config", "Service", fixed("keystone"), AUTONOTIFY),
    *rows("keystone", "keystone_endpoint", "Keystone_service", endpoint_service),
    *rows("keystone", "keystone_identity_provider", "File", first("remote_id_file")),
    *anchored("keystone", "service", "keystone_identity_provider"),
    *rows("keystone", "keystone_puppet_config", "File", fixed("/etc/keystone/puppet.conf")),
    *rows("keystone", "keystone_uwsgi_config", "File", fixed("/etc/keystone/keystone-uwsgi.ini")),
    *rows("keystone", "keystone_tenant keystone_user", "Keystone_domain", domains),
    *rows("keystone", "keystone_tenant keystone_user", "Anchor", ACCOUNTS),
    *rows("keystone", "keystone_user_role", "Keystone_user", role_user),
    *rows("keystone", "keystone_user_role", "Keystone_tenant", role_project),
    *rows("keystone", "keystone_user_role", "Keystone_role", param("roles")),
    *rows("keystone", "keystone_user_role", "Keystone_domain", role_domains),
    *anchored("keystone", "service", "keystone_user_role"),
    # ------------------------------------------------------------------------ magnum, nova, sahara
    *rows("magnum", "magnum_api_uwsgi_config", "File", fixed("/etc/magnum/magnum-api-uwsgi.ini")),
    *anchored("magnum", "install", "magnum_api_uwsgi_config"),
    *rows("nova", "nova_flavor", "Keystone_tenant", first("project_name")),
    *rows("sahara", "sahara_cluster_template", "Sahara_node_group_template", node_groups),
    # ------------------------------------------------------------------------ neutron
    *rows("neutron", "neutron_plugin_nsx", "File", fixed("/etc/neutron/plugins/vmware")),
    *rows(
        "neutron",
        "neutron_plugin_opencontrail",
        "File",
        fixed("/etc/neutron/plugins/opencontrail"),
    ),
    *anchored("neutron", "install", "neutron_plugin_nsx neutron_plugin_opencontrail"),
    *rows(
        "neutron", "neutron_plugin_nuage", "File", fixed("/etc/neutron/plugins/nuage/plugin.ini")
    ),
    *rows("neutron", "neutron_l3_ovs_bridge", "Vs_bridge", namevar),
    *rows(
        "neutron",
        "neutron_network neutron_port neutron_router neutron_subnet",
        "Keystone_tenant",
        TENANT,
    ),
    *rows("neutron", "neutron_port neutron_subnet", "Neutron_network", first("network_name")),
    *rows("neutron", "neutron_router", "Neutron_network", first("gateway_network_name")),
    *rows("neutron", "neutron_l3_ovs_bridge neutron_port", "Neutron_subnet", first("subnet_name")),
    *rows("neutron", "neutron_router_interface", "Neutron_router", name_part(":", 0, 1)),
    *rows("neutron", "neutron_router_interface", "Neutron_subnet", name_part(":", 1, 1)),
    # ------------------------------------------------------------------------ tempest
    *rows("tempest", "tempest_config", "Package", fixed("tempest")),
    *rows("tempest", "tempest_flavor_id_setter", "Nova_flavor", first("flavor_name")),
    *rows("tempest", "tempest_glance_id_setter", "Glance_image", first("image_name")),
    *rows("tempest", "tempest_neutron_net_id_setter", "Neutron_network", first("network_name")),
    *rows(
        "tempest",
        "tempest_ec2_credentials tempest_flavor_id_setter tempest_glance_id_setter"
        " tempest_neutron_net_id_setter",
        "Package",
        CLIENTS,
    ),
)
