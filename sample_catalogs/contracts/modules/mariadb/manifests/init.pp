class mariadb {
  package { 'mariadb-server': }
  -> service { 'mariadb': ensure => running }
}
