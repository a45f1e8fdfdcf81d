# Three people added one requirement each; nobody saw the loop.
class app {
  package { 'app':
    ensure  => installed,
    require => File['/etc/app/app.conf'],
  }
  file { '/etc/app':
    ensure => directory,
  }
  file { '/etc/app/app.conf':
    ensure  => file,
    content => "workers = 4\n",
    require => Exec['generate secrets'],
  }
  exec { 'generate secrets':
    command => '/usr/bin/app-keygen /etc/app/secrets',
    creates => '/etc/app/secrets',
    require => Package['app'],
  }
  service { 'app':
    ensure    => running,
    subscribe => File['/etc/app/app.conf'],
  }
}

include app
