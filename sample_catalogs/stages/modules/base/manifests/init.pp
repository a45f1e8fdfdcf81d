# What every machine has.
class base {
  package { ['sudo', 'openssh-server']:
    ensure => installed,
  }
  service { 'ssh':
    ensure  => running,
    require => Package['openssh-server'],
  }
}
