# The backup is meant to start when monitoring is complete. But monitoring only includes the
# agent, so the agent's resources are outside of Class[monitoring] and wait for nothing.
package { 'backup':
  ensure => installed,
}
service { 'backup':
  ensure  => running,
  require => [Package['backup'], Class['monitoring']],
}

include monitoring
