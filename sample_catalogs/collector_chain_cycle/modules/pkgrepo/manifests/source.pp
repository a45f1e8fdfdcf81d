# One package source with its key.
define pkgrepo::source (
  String $url,
  String $key,
) {
  # Keys cannot be imported without gpg: together with the site-wide rule this is the cycle.
  exec { "import key of ${title}":
    command => "/usr/bin/gpg --no-default-keyring --keyring ${key} --fetch-keys ${url}/key.asc",
    creates => $key,
    require => Package['gnupg'],
  }
  file { "/etc/apt/sources.list.d/${title}.list":
    ensure  => file,
    content => "deb [signed-by=${key}] ${url} stable main\n",
    require => Exec["import key of ${title}"],
  }
  ~> exec { "update index for ${title}":
    command     => '/usr/bin/apt-get update',
    refreshonly => true,
  }
}
