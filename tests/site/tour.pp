file { '/etc/app/app.conf':
  ensure  => file,
  content => "workers = 4\n",
  require => Exec['generate secrets'],
}
