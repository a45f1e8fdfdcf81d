# Package sources before everything, clean-up after everything.
stage { 'first':
  before => Stage['main'],
}
stage { 'last': }
Stage['main'] -> Stage['last']

class { 'repos':
  stage => 'first',
}
class { 'cleanup':
  stage => 'last',
}
include base

package { 'motd-tools':
  ensure => installed,
}
