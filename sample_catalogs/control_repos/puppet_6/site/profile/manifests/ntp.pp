class profile::ntp (Array[String] $servers, String $service = 'ntpd') {
  file { '/etc/ntp.conf':
    content => template('profile/ntp.conf.erb'),
  }
  service { $service: ensure => running }
  # The configuration of Debian's service is read when it starts.
  if $facts['osfamily'] == 'Debian' {
    File['/etc/ntp.conf'] ~> Service[$service]
  }
}
