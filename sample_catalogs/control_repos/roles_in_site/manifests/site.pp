node /^web\d+\.example\.com$/ {
  include role::web
}

node 'db1.example.com', 'db2.example.com' {
  include role::database
}

node default {
  include role::plain
}
