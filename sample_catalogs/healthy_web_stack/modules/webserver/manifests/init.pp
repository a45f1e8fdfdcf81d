# nginx: package, configuration, service, in this order.
class webserver {
  contain webserver::install
  contain webserver::config
  contain webserver::service

  Class['webserver::install']
  -> Class['webserver::config']
  ~> Class['webserver::service']
}
