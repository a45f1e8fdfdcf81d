node 'shop1.example.com' {
  contain profile::base, profile::db, profile::shop, profile::backup
  Class['profile::base'] -> Class['profile::db', 'profile::shop']
}
