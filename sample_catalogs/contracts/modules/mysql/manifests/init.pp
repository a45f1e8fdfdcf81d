class mysql {
  package { 'mysql-server': }
  -> service { 'mysql': ensure => running }
}
