class profile::database (String $listen) {
  $hostname = 'database'
  package { 'postgresql': ensure => installed }
  file { '/etc/postgresql/postgresql.conf':
    content => "listen_addresses = '${listen}' # ${hostname}\n",
    require => Package['postgresql'],
  }
  mailalias { 'postgres': recipient => 'root' }
}
