# A mail server.
class mail-server {
  package { 'postfix': ensure => installed }
  -> file { '/etc/mailname': content => "$mail_domain\n" }
  ~> service { 'postfix': ensure => running }
}
