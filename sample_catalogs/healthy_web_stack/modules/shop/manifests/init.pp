# The shop and everything it stands on.
class shop (
  String $user = 'shop',
  Array[String] $sites = ['www', 'admin'],
) {
  contain database
  contain webserver
  contain shop::accounts
  contain shop::app

  Class['shop::accounts'] -> Class['database'] -> Class['shop::app'] -> Class['webserver']

  $sites.each |Integer $index, String $site| {
    webserver::site { "${site}.${facts['networking']['domain']}":
      port    => 8000 + $index,
      require => Class['shop::app'],
    }
  }
}
