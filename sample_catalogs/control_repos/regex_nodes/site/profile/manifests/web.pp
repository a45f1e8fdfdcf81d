# A web server.
class profile::web {
  include profile::base

  package { 'nginx': ensure => installed }
  -> file { '/etc/nginx/conf.d/site.conf': content => "server_name ${facts['networking']['fqdn']};\n" }
  ~> service { 'nginx': ensure => running }
}
