# All accounts are declared virtual; each class realises the ones it needs.
class accounts {
  @group { ['web', 'dba', 'audit']:
    ensure => present,
  }
  @user { 'alice':
    ensure => present,
    gid    => 'web',
    tag    => 'web',
  }
  @user { 'bob':
    ensure => present,
    gid    => 'dba',
    groups => ['web'],
    tag    => 'dba',
  }
  @user { 'mallory':
    ensure => present,
    gid    => 'audit',
    tag    => 'audit',
  }
  @file { '/home/alice/.vimrc':
    ensure => file,
    owner  => 'alice',
    tag    => 'web',
  }
}

class web {
  include accounts
  realize(Group['web'])
  User <| tag == 'web' |> -> File <| tag == 'web' |>

  file { '/srv/www':
    ensure => directory,
    owner  => 'alice',
    group  => 'web',
  }
}

class db {
  include accounts
  Group <| title == 'dba' |>
  realize(User['bob'])

  file { '/srv/db':
    ensure => directory,
    owner  => 'bob',
    group  => 'dba',
  }
  # The audit team has no account here: its user stays virtual, and this matches nobody.
  User <| tag == 'nobody' |> -> File['/srv/db']
}

include web, db
Class['web'] -> Class['db']
