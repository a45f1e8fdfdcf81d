class profile::db {
  contain mysql

  exec { '/usr/bin/mysqladmin create shop':
    creates => '/var/lib/mysql/shop',
    require => Class['mysql'],
  }
}
