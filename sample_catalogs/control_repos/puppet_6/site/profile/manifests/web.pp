class profile::web (Optional[Hash] $sites = undef) {
  $package = $osfamily ? {
    'RedHat' => 'httpd',
    default  => 'apache2',
  }
  if $sites and has_key($sites, 'default') {
    file { '/var/www/default': ensure => directory }
  }
  package { $package: ensure => installed }
  service { $package:
    ensure  => running,
    require => Package[$package],
  }
  if $maintenance {
    notify { 'maintenance': }
  }
}
