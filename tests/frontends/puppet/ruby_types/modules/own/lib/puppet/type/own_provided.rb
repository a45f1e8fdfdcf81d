Puppet::Type.newtype(:own_provided) do
  ensurable do
    newvalue(:present) { provider.create }
    newvalue(:absent) { provider.destroy }
  end
  newparam(:name)
end
