class platform::shop {
  contain lighttpd

  package { 'shop':
    before  => Class['lighttpd'],
    require => Class['platform::db'],
  }
  service { 'shop': ensure => running }
}
