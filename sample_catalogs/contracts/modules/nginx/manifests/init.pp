class nginx {
  package { 'nginx': }
  -> service { 'nginx': ensure => running }
}
