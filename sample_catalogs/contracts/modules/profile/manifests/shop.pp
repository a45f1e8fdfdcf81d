class profile::shop {
  contain nginx

  package { 'shop':
    before  => Class['nginx'],
    require => Class['profile::db'],
  }
  service { 'shop': ensure => running }
}
