# A web server with what every machine has.
class role::webserver {
  include profile::base
  include profile::users
  include profile::monitoring
  contain profile::web

  Class['profile::base'] -> Class['profile::web']
}
