node default {
  include profile::backup
}
