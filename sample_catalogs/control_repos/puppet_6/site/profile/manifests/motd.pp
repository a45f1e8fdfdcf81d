class profile::motd (String $text) {
  file { '/etc/motd':
    content => "${text}\nThis is ${::operatingsystem} ${facts['operatingsystemmajrelease']}.\n",
  }
}
