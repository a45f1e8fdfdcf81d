Puppet::Type.newtype(:own_keyed) do
  newparam(:path, :namevar => true)
  newproperty(:mode)
end
