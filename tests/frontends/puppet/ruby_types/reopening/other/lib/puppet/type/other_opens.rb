Puppet::Type.newtype(:other_opens) do
  newparam(:name)
end
Puppet::Type.type(:other_opened).newparam(:from_elsewhere)
Puppet::Type.newmetaparam(:own_meta)
