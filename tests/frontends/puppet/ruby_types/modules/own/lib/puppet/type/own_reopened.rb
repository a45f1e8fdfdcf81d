Puppet::Type.newtype(:own_reopened) do
  newparam(:name)
end
require_relative 'own_reopened/more'
