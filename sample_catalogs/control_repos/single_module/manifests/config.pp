# @api private
class mirror::config {
  file { '/etc/mirror.conf':
    ensure  => $mirror::ensure,
    content => "purge = ${mirror::purge}\n",
  }

  if $mirror::purge and $mirror::frequency == 'hourly' {
    exec { 'stop a purge':
      command     => '/usr/bin/pkill -f mirror-purge',
      refreshonly => true,
      subscribe   => File['/etc/mirror.conf'],
      before      => Class['mirror::install'],
    }
  }
}
