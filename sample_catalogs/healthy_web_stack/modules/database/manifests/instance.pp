# One database and its owner.
define database::instance (
  String $owner,
) {
  exec { "create role ${owner}":
    command => "/usr/bin/createuser ${owner}",
    unless  => "/usr/bin/psql --tuples-only --command 'select 1' ${owner}",
    user    => 'postgres',
  }
  -> exec { "create database ${title}":
    command => "/usr/bin/createdb --owner ${owner} ${title}",
    unless  => "/usr/bin/psql --list ${title}",
    user    => 'postgres',
  }
}
