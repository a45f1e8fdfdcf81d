# Code for Puppet 3: nodes that inherit, classes with a hyphen, variables of the top scope.
$mail_domain = 'example.com'

node base {
  include web
}

node 'mail1.example.com' inherits base {
  include mail-server
}

node 'web1.example.com' inherits base {
  file { '/etc/motd': content => "${::osfamily}\n" }
}
