# The accounts of people and programs.
class profile::accounts (
  Hash[String, Hash] $users,
) {
  $users.each |$name, $attributes| {
    user { $name:
      ensure => present,
      *      => $attributes,
    }
  }
}
