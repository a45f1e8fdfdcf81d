File { backup => false }
file { '@DIR@': ensure => directory, mode => '0755' }
file { '@DIR@/tree':
  ensure  => directory,
  source  => '@DIR@.source',
  recurse => true,
}

class web {
  file { '@DIR@/web.conf': content => "listen 80\n", mode => '0644' }
  ~> exec { 'reload web': command => '/bin/sleep 0.2', refreshonly => true }
  notify { 'web is there': require => Exec['reload web'] }
}
include web

define vhost($page = $title) {
  file { "@DIR@/${title}": content => $page }
}
vhost { ['one', 'two']: }

exec { 'slow': command => '/bin/sleep 0.3', before => Vhost['two'] }
exec { 'broken': command => '/bin/false' }
notify { 'after broken': require => Exec['broken'] }
exec { 'broken restart':
  command     => '/bin/false',
  refreshonly => true,
  subscribe   => File['@DIR@/web.conf'],
}
notify { 'after broken restart': require => Exec['broken restart'] }
notify { 'only said': noop => true }
file { '@DIR@/secret': content => Sensitive('hunter2-hidden') }
file { '@DIR@/link': ensure => link, target => '@DIR@/one' }
schedule { 'gone': range => '3:00 - 3:01', weekday => 'Sunday', period => 'daily', repeat => 1 }
notify { 'never': tag => 'left_out' }
notify { ['yes', '12', '0x1', '~', '1e3', ':word', '- dash', ' lead', 'a: b', 'c #d', "it's", '"q"', "tab\there", '2024-01-02']: }
notify { "two\nlines, and\n\n  more": }
notify { "  deep\n lines": }
exec { 'one of': command => '/bin/true', returns => [0, 3] }
notify { 'tröst — 雪 😀': message => "back\\slash \u0007 bell" }
exec { "/bin/echo a very long title that is nothing but the command itself, and which goes on for long enough to be written as a complex key in YAML":
  logoutput => false,
}
