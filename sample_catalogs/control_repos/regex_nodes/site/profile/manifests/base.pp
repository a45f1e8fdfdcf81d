# What every node has.
class profile::base {
  package { 'chrony': ensure => installed }
  -> service { 'chrony': ensure => running }
}
