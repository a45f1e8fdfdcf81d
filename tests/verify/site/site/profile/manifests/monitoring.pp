# The agent of the monitoring system.
class profile::monitoring (
  Array[String] $servers,
  Numeric $interval = 2.5,
) {
  package { 'collectd':
    ensure => installed,
  }
  -> file { '/etc/collectd.conf':
    content => "Interval ${interval}\nServers ${servers}\n",
  }
  ~> service { 'collectd':
    ensure => running,
  }
  User <| title == 'backup' |> {
    groups => ['monitoring'],
  }
}
