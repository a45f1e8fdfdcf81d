node 'web1.example.com' { include role::web }
node 'db1.example.com' { include role::database }
node default { include profile::base }
