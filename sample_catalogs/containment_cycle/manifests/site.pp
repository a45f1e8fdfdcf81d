# Both halves contain the Java class, and one half waits for the other.
node default {
  include role::search
}
