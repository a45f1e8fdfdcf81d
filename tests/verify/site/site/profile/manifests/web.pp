# The web server itself.
class profile::web (
  Integer $port,
  Integer $workers = 2,
) inherits profile::base {
  package { 'nginx':
    ensure => installed,
  }
  file { '/etc/nginx/nginx.conf':
    content => "worker_processes ${workers};\nlisten ${port};\n",
    require => Package['nginx'],
    notify  => Service['nginx'],
  }
  service { 'nginx':
    ensure => running,
    enable => true,
  }
  profile::vhost { 'www.corp.example':
    root => '/srv/www',
  }
  Exec['refresh motd'] {
    environment +> 'WEB=1',
  }
}
