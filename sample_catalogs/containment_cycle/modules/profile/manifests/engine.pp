# The search engine.
class profile::engine {
  contain java

  file { '/etc/engine.yml':
    ensure  => file,
    content => "heap: 2g\n",
    notify  => Service['engine'],
  }
  service { 'engine':
    ensure  => running,
    require => Class['java'],
  }
}
