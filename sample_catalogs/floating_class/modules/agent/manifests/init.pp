# The monitoring agent itself.
class agent {
  package { 'monitoring-agent':
    ensure => installed,
  }
  -> file { '/etc/monitoring-agent.conf':
    ensure  => file,
    content => "server = mon.example.com\n",
  }
  ~> service { 'monitoring-agent':
    ensure => running,
  }
}
