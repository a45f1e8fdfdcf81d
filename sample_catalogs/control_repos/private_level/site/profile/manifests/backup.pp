# Backups; the password is in a level of Hiera that no checkout has.
class profile::backup (
  String $server,
  String $password,
) {
  package { 'restic': ensure => installed }

  file { '/etc/restic.conf':
    content => "server = ${server}\npassword = ${password}\n",
    require => Package['restic'],
  }

  if $server == 'localhost' {
    # The archive itself.
    service { 'restic-server':
      ensure    => running,
      subscribe => File['/etc/restic.conf'],
    }
  }
}
