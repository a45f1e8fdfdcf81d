# The file transfer of the days before the web server.
class profile::ftp (
  Boolean $anonymous = true,
) {
  file { '/etc/vsftpd.conf':
    source => 'puppet:///modules/profile/vsftpd.conf',
  }
}
