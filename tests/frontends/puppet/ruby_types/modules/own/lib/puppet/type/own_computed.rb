Puppet::Type.newtype(:own_computed) do
  newparam(:path, :namevar => true)
  newproperty(:mode)

  def self.title_patterns
    [[/(.*)/m, [[:path, ->(path) { path.chomp('/') }]]]]
  end
end
