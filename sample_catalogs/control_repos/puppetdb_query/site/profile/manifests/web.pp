# A web server, which tells the balancer of itself.
class profile::web {
  package { 'nginx': ensure => installed }
  -> service { 'nginx': ensure => running }

  @@file { "/etc/haproxy/conf.d/${facts['networking']['fqdn']}.cfg":
    content => "server ${facts['networking']['ip']}\n",
    tag     => 'balancer',
  }
}
