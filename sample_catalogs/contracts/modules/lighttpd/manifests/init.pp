class lighttpd {
  package { 'lighttpd': }
  -> service { 'lighttpd': ensure => running }
}
