# Nodes by the patterns of their names; part of a name is the parameter of a class.
node /^web\d+\.example\.com$/ {
  include profile::web
}

node /^(db|cache)\d+/ {
  class { 'profile::store': kind => $1 }
}

node default {
  include profile::base
}
