# The link is placed before the user on purpose, the user before the file by Puppet:
# a link automatically comes after its target, and the target after its owner.
class deploy {
  group { 'deploy':
    ensure => present,
  }
  user { 'deploy':
    ensure => present,
    gid    => 'deploy',
    home   => '/home/deploy',
  }
  file { '/srv/deploy':
    ensure => directory,
    owner  => 'deploy',
    group  => 'deploy',
    mode   => '0750',
  }
  file { '/home/deploy':
    ensure => link,
    target => '/srv/deploy',
    before => User['deploy'],
  }
  file { '/srv/deploy/.profile':
    ensure => file,
    owner  => 'deploy',
  }
}

include deploy
