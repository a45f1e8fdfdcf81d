# Removes what the rest of the run left behind.
class cleanup {
  exec { 'clean package cache':
    command => '/usr/bin/apt-get clean',
  }
  file { '/var/tmp/bootstrap':
    ensure => absent,
    force  => true,
  }
}
