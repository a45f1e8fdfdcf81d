class Puppet::Type
  define_singleton_method('new' + 'thing') { |name| newparam(name) }
end
Puppet::Type.newtype(:own_unknown_call) do
  newparam(:name)
  newthing :thing
end
