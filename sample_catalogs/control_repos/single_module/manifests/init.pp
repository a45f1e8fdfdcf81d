# Mirrors a tree of packages.
#
# @param ensure Whether the mirror is to be there.
# @param frequency How often it is brought up to date.
# @param purge Whether what is gone upstream is removed.
class mirror (
  Enum['present', 'absent'] $ensure    = 'present',
  Enum['hourly', 'daily']   $frequency = 'daily',
  Boolean                   $purge     = false,
) {
  contain mirror::install
  contain mirror::config

  Class['mirror::install'] -> Class['mirror::config']
}
