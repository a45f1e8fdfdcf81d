# A database or a cache.
class profile::store (
  Enum['db', 'cache'] $kind,
) {
  include profile::base

  if $kind == 'db' {
    # A database.
    package { 'postgresql': ensure => installed }
    -> service { 'postgresql': ensure => running }
  } else {
    # A cache.
    package { 'redis-server': ensure => installed }
    -> service { 'redis-server': ensure => running }
  }
}
