# Something to see.
class demo($given = 'a value', $list = ['a', { 'b' => 'c' }], $none = undef) {
  $own = { 'x' => [1, 2] }
  tag 'tagged'
}
