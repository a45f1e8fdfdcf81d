Puppet::Type.newtype(:own_optional) do
  newparam(:path) { isnamevar }
  newparam(:port, namevar: true)

  def self.title_patterns
    [[/\A([^:]+)(?::(\d+))?\z/, [[:path], [:port]]]]
  end
end
