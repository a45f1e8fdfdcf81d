# The names that the module's type has; what it does is not here.
Puppet::Type.newtype(:concat_file) do
  ensurable
  newparam(:path, namevar: true)
  newparam(:tag)
  newparam(:owner)
  newparam(:group)
  newparam(:mode)
  newparam(:order)
  newparam(:backup)
  newparam(:replace)
  newparam(:validate_cmd)
  newparam(:ensure_newline)
  newparam(:format)
  newparam(:force)
  newparam(:show_diff)
  autorequire(:file) { [self[:path]] }
end
