Puppet::Type.newtype(:other_opened) do
  newparam(:path, :namevar => true)
end
