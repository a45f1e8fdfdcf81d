# What is needed to read signed package sources.
class pkgrepo {
  package { 'gnupg':
    ensure => installed,
  }
  file { '/etc/apt/sources.list.d':
    ensure => directory,
    purge  => false,
  }
}
