# @api private
class mirror::install {
  $package = $facts['os']['family'] ? {
    'RedHat' => 'reposync',
    'Debian' => 'apt-mirror',
    default  => fail("mirror: ${facts['os']['name']} is not supported"),
  }

  package { $package: ensure => $mirror::ensure }
}
