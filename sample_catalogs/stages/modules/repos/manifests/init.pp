# Package sources; classes included here run in the same stage.
class repos {
  include repos::keys

  file { '/etc/apt/sources.list':
    ensure  => file,
    content => "deb http://deb.example.com/debian stable main\n",
    require => Class['repos::keys'],
  }
  ~> exec { 'update package index':
    command     => '/usr/bin/apt-get update',
    refreshonly => true,
  }
}
