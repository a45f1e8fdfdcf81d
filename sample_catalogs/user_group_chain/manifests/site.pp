# Somebody wanted users to exist before groups get their members.
# Puppet's automatic order is the other way round, and it gives way to an explicit edge
# only between the same two resources.
User <| |> -> Group <| |>

group { ['developers', 'operators']:
  ensure => present,
}
group { 'oncall':
  ensure  => present,
  members => ['carol'],
}
user { 'carol':
  ensure => present,
  gid    => 'developers',
  groups => ['operators'],
}
user { 'dave':
  ensure => present,
  gid    => 'operators',
}
file { '/srv/projects':
  ensure => directory,
  owner  => 'carol',
  group  => 'developers',
}
