Puppet::Type.type(:own_provided).provide(:one) do
  mk_resource_methods
end
