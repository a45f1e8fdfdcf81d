# One virtual host.
define webserver::site (
  Integer $port,
) {
  file { "/etc/nginx/sites/${title}":
    ensure  => file,
    content => "server { server_name ${title}; location / { proxy_pass http://localhost:${port}; } }\n",
    notify  => Class['webserver::service'],
  }
  file { "/var/log/nginx/${title}":
    ensure => directory,
    owner  => 'shop',
  }
}
