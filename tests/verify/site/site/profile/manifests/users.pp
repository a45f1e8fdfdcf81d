# Accounts from data.
class profile::users (
  Hash[String, Hash] $accounts = {},
) {
  $accounts.each |$name, $values| {
    user { $name:
      ensure => present,
      *      => $values,
    }
  }
  if 'deploy' in $accounts {
    file { '/home/deploy':
      ensure  => directory,
      owner   => 'deploy',
      require => User['deploy'],
    }
  }
}
