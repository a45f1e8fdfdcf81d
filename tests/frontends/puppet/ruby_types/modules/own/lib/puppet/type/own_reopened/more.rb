module Puppet
  Puppet::Type.type(:own_reopened).newproperty(:more) do
    desc 'More of it.'
  end
  Puppet::Type.type(:own_reopened).ensurable
end
