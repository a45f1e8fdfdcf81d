class platform::base {
  package { 'chrony': }
  -> service { 'chrony': ensure => running }

  service { ['atd', 'sshd']: ensure => running }
}
