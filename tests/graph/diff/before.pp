class web {
  package { 'nginx': ensure => installed }
  file { '/etc/nginx/nginx.conf': content => "worker_processes 2;\nuser www-data;\n" }
  ~> service { 'nginx': ensure => running }
  Package['nginx'] -> File['/etc/nginx/nginx.conf']
}

class app {
  file { '/srv/app': ensure => directory, owner => 'app' }
  exec { 'migrate': command => '/srv/app/migrate', require => File['/srv/app'] }
}

include web
include app
