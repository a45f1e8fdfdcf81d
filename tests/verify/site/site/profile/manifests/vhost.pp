# A virtual host.
define profile::vhost (
  String $root,
  Integer[0] $priority = 10,
) {
  file { "/etc/nginx/sites-enabled/${priority}-${title}.conf":
    content => "server_name ${title}; root ${root};\n",
    tag     => 'vhost',
    require => File['/etc/nginx/nginx.conf'],
  }
}
