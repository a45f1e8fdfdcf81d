# The names that the module's type has; what it does is not here.
Puppet::Type.newtype(:ini_setting) do
  ensurable
  newparam(:name, namevar: true)
  newparam(:section)
  newparam(:setting)
  newparam(:force_new_section_creation)
  newparam(:path)
  newparam(:show_diff)
  newparam(:key_val_separator)
  newproperty(:value)
  newparam(:section_prefix)
  newparam(:section_suffix)
  newparam(:indent_char)
  newparam(:indent_width)
  newparam(:refreshonly)

  def refresh; end
end
