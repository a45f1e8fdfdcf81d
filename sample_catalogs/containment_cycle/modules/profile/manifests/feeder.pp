# Feeds documents into the search engine.
class profile::feeder {
  contain java

  service { 'feeder':
    ensure  => running,
    require => Class['java'],
  }
}
