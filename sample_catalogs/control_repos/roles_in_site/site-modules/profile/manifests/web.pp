# nginx, from its own package source on Debian.
class profile::web {
  include nginx

  if $facts['os']['family'] == 'Debian' {
    include apt
    apt::source { 'nginx':
      location => 'https://packages.example.com/nginx',
      repos    => 'nginx',
    }
    Apt::Source['nginx'] -> Class['nginx']
  }

  file { '/var/www':
    ensure => directory,
    before => Class['nginx'],
  }
}
