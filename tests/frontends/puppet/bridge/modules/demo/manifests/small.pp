# Hardly anything.
class demo::small inherits demo {
  $here = 'small'
  notify { "small ${title}": }
}
