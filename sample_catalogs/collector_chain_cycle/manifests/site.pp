# Site-wide rule: package sources come before all packages.
Pkgrepo::Source <| |> -> Package <| |>

node default {
  include pkgrepo

  pkgrepo::source { 'vendor':
    url => 'https://packages.example.com/debian',
    key => '/usr/share/keyrings/vendor.gpg',
  }

  package { ['vendor-agent', 'htop']:
    ensure => installed,
  }
  service { 'vendor-agent':
    ensure  => running,
    require => Package['vendor-agent'],
  }
}
