class profile::base {
  include profile::motd
  include profile::ntp
}
