node 'web1.example.com', 'web2.example.com' {
  include profile::base
  include profile::web
}

node 'db1.example.com' {
  include profile::base
}
