node 'shop1.example.com' {
  contain platform::base, platform::db, platform::shop, platform::backup
  Class['platform::base'] -> Class['platform::db', 'platform::shop']
}
