# A search node: the engine first, then what feeds it.
class role::search {
  contain profile::engine
  contain profile::feeder

  Class['profile::engine'] -> Class['profile::feeder']
}
