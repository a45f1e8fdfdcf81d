# The database server with one database for the shop.
class database (
  String $data = '/srv/database',
) {
  package { 'postgresql':
    ensure => installed,
  }
  file { $data:
    ensure  => directory,
    owner   => 'postgres',
    mode    => '0700',
    require => Package['postgresql'],
  }
  file { '/etc/postgresql':
    ensure => directory,
  }
  file { '/etc/postgresql/shop.conf':
    ensure  => file,
    owner   => 'postgres',
    content => "data_directory = '${data}'\n",
    require => Package['postgresql'],
    notify  => Service['postgresql'],
  }
  service { 'postgresql':
    ensure => running,
    enable => true,
  }
  database::instance { 'shop':
    owner   => 'shop',
    require => Service['postgresql'],
  }
}
