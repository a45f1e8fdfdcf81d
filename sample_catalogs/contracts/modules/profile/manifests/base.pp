class profile::base {
  package { 'chrony': }
  -> service { 'chrony': ensure => running }

  service { ['cron', 'ssh']: ensure => running }
}
