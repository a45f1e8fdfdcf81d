# Checks from cron; nothing waits for them.
class shop::monitoring {
  file { '/usr/local/bin/check_shop':
    ensure  => file,
    mode    => '0755',
    content => "#!/bin/sh\ncurl --fail http://localhost:8000/health\n",
  }
  file { '/etc/cron.d/check_shop':
    ensure  => file,
    content => "*/5 * * * * root /usr/local/bin/check_shop\n",
    require => File['/usr/local/bin/check_shop'],
  }
}
