# A machine that nothing else is known of.
class role::plain {
  include profile::base
}
