# Configuration of the web server; sites add files of their own.
class webserver::config {
  file { ['/etc/nginx', '/etc/nginx/sites', '/etc/nginx/tls']:
    ensure => directory,
  }
  file { '/etc/nginx/nginx.conf':
    ensure  => file,
    content => "include sites/*;\n",
  }
  exec { 'make certificate':
    command => '/usr/bin/openssl req -new -x509 -nodes -subj /CN=shop -out shop.pem -keyout shop.key',
    cwd     => '/etc/nginx/tls',
    creates => '/etc/nginx/tls/shop.pem',
  }
}
