class platform::db {
  contain mariadb

  exec { '/usr/bin/mysqladmin create shop':
    creates => '/var/lib/mysql/shop',
    require => Class['mariadb'],
  }
}
