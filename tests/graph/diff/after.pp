class web {
  package { 'nginx': ensure => installed }
  -> file { '/etc/nginx/nginx.conf': content => "worker_processes 4;\nuser www-data;\n" }
  ~> service { 'nginx': ensure => running }
}

class app {
  user { 'app': ensure => present }
  file { '/srv/app': ensure => directory, owner => 'app' }
  exec { 'migrate': command => '/srv/app/migrate', require => File['/srv/app'] }
}

include web
include app
Class['app'] -> Class['web']
