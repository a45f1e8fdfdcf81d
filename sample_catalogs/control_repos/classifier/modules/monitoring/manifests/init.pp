# The monitoring server.
class monitoring {
  package { 'prometheus': ensure => installed }
  -> service { 'prometheus': ensure => running }
}
