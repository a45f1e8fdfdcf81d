# The running web server.
class webserver::service {
  service { 'nginx':
    ensure => running,
    enable => true,
  }
}
