# A message queue, and the account that owns its files.
class profile::queue (
  String[1] $owner = 'deploy',
) {
  package { 'rabbitmq-server': ensure => installed }

  file { '/var/lib/rabbitmq':
    ensure  => directory,
    owner   => $owner,
    require => Package['rabbitmq-server'],
  }

  service { 'rabbitmq-server':
    ensure  => running,
    require => File['/var/lib/rabbitmq'],
  }

  # The account is to be there before the service, and is made after its files.
  User <| title == $owner |> -> Service['rabbitmq-server']
  File['/var/lib/rabbitmq'] -> User <| title == 'deploy' |>
}
