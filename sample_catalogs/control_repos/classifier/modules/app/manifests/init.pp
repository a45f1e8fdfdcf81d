# The application; the certificate is made by a command that needs the service's account.
class app (
  Integer[1, 65535] $port,
  Boolean           $tls = false,
) {
  user { 'app': ensure => present }

  file { '/etc/app.conf':
    content => "port = ${port}\nplace = ${datacentre}\n",
    notify  => Service['app'],
  }

  service { 'app':
    ensure  => running,
    require => User['app'],
  }

  if $tls {
    exec { 'make certificate':
      command => '/usr/bin/make-cert /etc/app.pem',
      creates => '/etc/app.pem',
      require => Service['app'],
      before  => File['/etc/app.conf'],
    }
  }
}
