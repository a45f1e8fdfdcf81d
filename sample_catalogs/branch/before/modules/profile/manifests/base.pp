# What every machine has.
class profile::base (
  Array[String[1]] $servers,
  String[1]        $mode = '0644',
) {
  file { '/etc/chrony.conf':
    content => $servers.map |$server| { "server ${server} iburst\n" }.join,
    mode    => $mode,
  }

  service { 'chrony':
    ensure    => running,
    subscribe => File['/etc/chrony.conf'],
  }
}
