node 'balancer1.example.com' {
  include profile::balancer
}

node 'web1.example.com', 'web2.example.com' {
  include profile::web
}
