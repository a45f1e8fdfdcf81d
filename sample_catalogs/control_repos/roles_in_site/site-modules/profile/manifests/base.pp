# What every machine has.
class profile::base (
  Array[String[1]] $servers,
  String[1]        $service = 'chrony',
) {
  package { 'chrony': ensure => installed }

  file { '/etc/chrony.conf':
    ensure  => file,
    content => $servers.map |$server| { "server ${server} iburst\n" }.join,
    require => Package['chrony'],
    notify  => Service[$service],
  }

  service { $service:
    ensure => running,
    enable => true,
  }
}
