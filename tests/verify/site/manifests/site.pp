# The nodes of the site.
Exec { path => ['/usr/bin', '/bin'] }

node 'web1.corp.example' {
  include role::webserver
}

node default {
  include profile::base
}
