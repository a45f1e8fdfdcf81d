# One resource, several names: title, name variable and alias all mean the same.
package { 'web server':
  ensure => installed,
  name   => 'nginx',
  alias  => 'webserver',
}
file { 'main configuration':
  ensure  => file,
  path    => '/etc/nginx/nginx.conf',
  alias   => ['nginx.conf', 'configuration'],
  require => Package['webserver'],
}
file { '/etc/nginx/':
  ensure  => directory,
  require => Package['web server'],
}
file { '/etc/nginx/mime.types':
  ensure => file,
  owner  => 'www-data',
}
user { 'web account':
  ensure => present,
  name   => 'www-data',
  gid    => 'www-data',
}
group { 'web group':
  ensure => present,
  name   => 'www-data',
}
service { 'web':
  ensure    => running,
  name      => 'nginx',
  subscribe => File['/etc/nginx/nginx.conf'],
}
exec { 'check configuration':
  command     => '/usr/sbin/nginx -t -c /etc/nginx/nginx.conf',
  alias       => 'check',
  refreshonly => true,
  subscribe   => [File['configuration'], File['/etc/nginx']],
  before      => Service['nginx'],
}
notify { 'done':
  require => [Exec['check'], Service['web'], User['www-data']],
}
