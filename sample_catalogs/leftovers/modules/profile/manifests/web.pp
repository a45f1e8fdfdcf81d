# A web server.
class profile::web (
  Integer $port = 80,
) {
  file { '/etc/web.conf':
    content => epp("${module_name}/web.conf.epp", { 'port' => $port }),
  }
  file { '/etc/mime.types':
    content => template("profile/mime-${facts['os']['family']}.erb"),
  }
}
