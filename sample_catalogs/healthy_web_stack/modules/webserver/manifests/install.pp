# Packages of the web server.
class webserver::install {
  package { ['nginx', 'openssl']:
    ensure => installed,
  }
}
