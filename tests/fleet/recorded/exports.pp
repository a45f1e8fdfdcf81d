define d { notify { "in ${title}": } }
define app::d { notify { "app in ${title}": } }
@@d { 'loose': }
@@d { 'taken': }
@@app::d { 'loose': }
@@app::d { 'taken': }
@@file { '/loose': require => Notify['last'] }
@@file { '/taken': require => Notify['last'] }
@@schedule { 'taken': }
@@user { 'loose': }
D <<| title == 'taken' |>>
App::D <<| title == 'taken' |>>
File <<| title == '/taken' |>>
Schedule <<| |>>
notify { 'last': }
