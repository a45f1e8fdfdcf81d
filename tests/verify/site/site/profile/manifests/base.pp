# What every machine has.
class profile::base (
  Array $packages = ['vim'],
) {
  File {
    owner => 'root',
    group => 'root',
  }

  $load = 1.50
  $all = flatten($packages)
  $all.each |$name| {
    @package { $name:
      ensure => installed,
      tag    => ['base'],
    }
  }
  Package <| tag == 'base' |>

  file { '/etc/motd':
    mode    => '0644',
    content => "Welcome to ${facts['networking']['hostname']}, load ${load}, of ${all}\n",
  }

  file { '/etc/profile.d':
    ensure => directory,
    mode   => '0755',
  }

  exec { 'refresh motd':
    command     => 'run-parts /etc/update-motd.d',
    environment => ['LANG=C'],
    refreshonly => true,
    subscribe   => File['/etc/motd'],
  }
}
