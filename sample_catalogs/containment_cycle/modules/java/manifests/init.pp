# A Java runtime.
class java {
  package { 'default-jre-headless':
    ensure => installed,
  }
  file { '/etc/profile.d/java.sh':
    ensure  => file,
    content => "export JAVA_HOME=/usr/lib/jvm/default-java\n",
    require => Package['default-jre-headless'],
  }
}
