# A cache in memory.
class profile::cache (
  Integer[64] $size = 128,
) {
  package { 'memcached': ensure => installed }

  file { '/etc/memcached.conf':
    content => "-m ${size}\n",
    require => Package['memcached'],
    notify  => Service['memcached'],
  }

  service { 'memcached': ensure => running }

  if $size > 256 {
    exec { 'huge pages':
      command => '/sbin/sysctl -w vm.nr_hugepages=256',
      unless  => '/bin/grep -q 256 /proc/sys/vm/nr_hugepages',
      require => Service['memcached'],
      before  => File['/etc/memcached.conf'],
    }
  }
}
