# People and service accounts.
class shop::accounts {
  group { 'shop':
    ensure => present,
    gid    => 2000,
  }
  group { 'deploy':
    ensure => present,
  }
  user { 'shop':
    ensure => present,
    gid    => 2000,
    groups => ['deploy'],
    home   => '/srv/shop',
    shell  => '/usr/sbin/nologin',
  }
  user { 'release':
    ensure => present,
    gid    => 'deploy',
  }
}
