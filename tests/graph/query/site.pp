class web($port = 80) {
  package { 'nginx': ensure => installed }
  -> file { '/etc/nginx.conf':
    owner   => 'www',
    mode    => '0644',
    content => Sensitive('hunter2'),
  }
  ~> service { 'nginx': ensure => running }
  web::vhost { 'shop': }
  user { 'www': ensure => absent }
}

define web::vhost {
  file { "/etc/sites/${title}": ensure => file, require => Package['nginx'], tag => 'vhost' }
  exec { "check ${title}": command => '/bin/true', refreshonly => true }
  File["/etc/sites/${title}"] ~> Exec["check ${title}"]
}

contain web
notify { 'alone': message => { 'a' => ['x', 'y'], 'b' => 7 } }
file { '/etc/motd': content => $facts['motd'], mode => 644 }
Class['web'] -> notify { 'done': loglevel => 'info' }
