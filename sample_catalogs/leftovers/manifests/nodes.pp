node 'web1.example.com' {
  include profile::web
}
