# nginx, with a page.
class profile::web (
  Boolean $page = false,
) {
  package { 'nginx': ensure => latest }

  if $page {
    file { '/var/www/index.html':
      source  => 'puppet:///modules/profile/index.html',
      require => Package['nginx'],
    }
  }
}
