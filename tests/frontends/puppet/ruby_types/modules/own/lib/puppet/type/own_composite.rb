Puppet::Type.newtype(:own_composite) do
  newparam(:name) { isnamevar }
  newparam(:region, :namevar => true)
  newparam(:zone) do
    isnamevar
  end
  newproperty(:size) { def self.isnamevar; end; isnamevar }

  def self.part
    Regexp.new(/[^:\/]+/)
  end

  def self.title_patterns
    word = /\w+/i
    identity = lambda { |x| x }
    same = ->(x) { x }
    patterns = []
    patterns << [
      /^(#{part})\/(#{word}):(.*)$/m,
      [[:region, identity], [:zone, same], [:name]],
    ]
    patterns + [[%r{^([^/]+)/([^/]+)$}, [[:region], [:name]]], [/\A([a-z]+)\z/, [[:name, nil]]]]
  end
end
