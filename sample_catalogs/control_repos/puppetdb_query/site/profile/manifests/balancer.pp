# A balancer, whose backends PuppetDB knows.
class profile::balancer {
  $rows = puppetdb_query('resources[certname] { type = "Class" and title = "Profile::Web" }')
  $backends = $rows.map |$row| { $row['certname'] }

  package { 'haproxy': ensure => installed }
  -> file { '/etc/haproxy/haproxy.cfg': content => join($backends, "\n") }
  ~> service { 'haproxy': ensure => running }

  $backends.each |$backend| {
    # A backend.
    file { "/etc/haproxy/${backend}": ensure => file, require => Package['haproxy'] }
  }

  File <<| tag == 'balancer' |>> ~> Service['haproxy']
}
