class platform::backup {
  cron { 'backup': command => '/usr/bin/mysqldump shop', hour => 3, minute => 0 }
}
