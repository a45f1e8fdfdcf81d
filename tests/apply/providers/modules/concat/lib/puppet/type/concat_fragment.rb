# The names that the module's type has; what it does is not here.
Puppet::Type.newtype(:concat_fragment) do
  newparam(:name, namevar: true)
  newparam(:target)
  newparam(:content)
  newparam(:source)
  newparam(:order)
  newparam(:tag)
end
