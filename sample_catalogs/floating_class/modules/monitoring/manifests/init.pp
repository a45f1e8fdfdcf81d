# Monitoring of this machine.
class monitoring {
  file { '/etc/monitoring':
    ensure => directory,
  }
  file { '/etc/monitoring/checks.conf':
    ensure  => file,
    content => "load, disk\n",
  }

  include agent
}
