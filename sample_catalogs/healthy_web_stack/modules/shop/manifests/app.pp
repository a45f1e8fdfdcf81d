# The application: a release under /srv/shop, unpacked once and linked as current.
class shop::app (
  String $version = '4.2.0',
) {
  $root = '/srv/shop'
  $release = "${root}/releases/${version}"

  package { ['python3', 'python3-venv']:
    ensure => installed,
  }

  file { [$root, "${root}/releases", $release, "${root}/shared"]:
    ensure => directory,
    owner  => 'shop',
    group  => 'deploy',
  }
  file { "${root}/shared/settings.ini":
    ensure  => file,
    owner   => 'shop',
    group   => 'shop',
    mode    => '0640',
    content => "[database]\nhost = localhost\n",
  }
  file { "${root}/current":
    ensure => link,
    target => $release,
    notify => Service['shop'],
  }

  exec { 'unpack shop':
    command => "/bin/tar --extract --file /var/cache/shop-${version}.tar.gz --directory ${release}",
    creates => "${release}/setup.py",
    user    => 'shop',
    cwd     => $release,
    before  => File["${root}/current"],
  }
  exec { 'install shop':
    command     => "${release}/install.sh --quiet",
    refreshonly => true,
    subscribe   => Exec['unpack shop'],
    require     => Package['python3-venv'],
  }

  file { '/etc/systemd/system/shop.service':
    ensure  => file,
    content => "[Service]\nUser=shop\nExecStart=${root}/current/bin/serve\n",
  }
  ~> exec { 'reload units of the shop':
    command     => '/bin/systemctl daemon-reload',
    refreshonly => true,
  }
  -> service { 'shop':
    ensure    => running,
    enable    => true,
    subscribe => File["${root}/shared/settings.ini"],
    require   => Exec['install shop'],
  }
}
