# Keys of the package sources.
class repos::keys {
  file { '/etc/apt/keyrings':
    ensure => directory,
  }
  file { '/etc/apt/keyrings/site.gpg':
    ensure => file,
    source => 'puppet:///modules/repos/site.gpg',
  }
}
