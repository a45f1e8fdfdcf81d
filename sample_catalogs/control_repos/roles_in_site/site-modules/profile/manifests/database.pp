# PostgreSQL, with backups where they are wanted.
class profile::database (
  Boolean $backups = false,
) {
  package { 'postgresql': ensure => installed }

  service { 'postgresql':
    ensure  => running,
    require => Package['postgresql'],
  }

  if $backups {
    user { 'backup':
      ensure => present,
      before => Package['postgresql'],
    }
    file { '/srv/backup':
      ensure  => directory,
      owner   => 'backup',
      require => Service['postgresql'],
    }
    # On Red Hat the account is made of what the package brings.
    if $facts['os']['family'] == 'RedHat' {
      File['/srv/backup'] -> User['backup']
    }
  }
}
