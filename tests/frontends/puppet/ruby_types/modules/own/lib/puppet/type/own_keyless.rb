Puppet::Type.newtype(:own_keyless) do
  newparam(:content)
end
