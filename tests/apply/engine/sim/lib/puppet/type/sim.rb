# Types that touch nothing: what applying and refreshing a resource does is one of its parameters.
#   outcome: ok | change | fail     was: the value found     refresh_outcome: ok | fail
#   auto_require, auto_before, auto_notify, auto_subscribe: titles of the same type
make_sim = lambda do |type|
  type.newparam(:name)
  type.newparam(:was)
  type.newparam(:refresh_outcome) { newvalues(:ok, :fail) }
  type.newproperty(:outcome) do
    newvalues(:ok, :change, :fail)
    def retrieve
      resource[:was] || 'old'
    end

    def insync?(_found)
      should == :ok
    end

    def sync
      raise Puppet::Error, 'injected failure' if should == :fail
    end
  end
  %i[require before notify subscribe].each do |kind|
    type.newparam(:"auto_#{kind}")
    type.send(:"auto#{kind}", type.name) { self[:"auto_#{kind}"] }
  end
end

refreshing = lambda do |type|
  type.send(:define_method, :refresh) do
    raise Puppet::Error, 'injected failure of the refresh' if self[:refresh_outcome] == :fail
  end
end

Puppet::Type.newtype(:sim) do
  make_sim.call(self)
  refreshing.call(self)
end

Puppet::Type.newtype(:simmute) { make_sim.call(self) }

# Its only provider works nowhere.
Puppet::Type.newtype(:simlost) do
  make_sim.call(self)
  provide(:never) { confine true: false }
end

Puppet::Type.newtype(:simself, self_refresh: true) do
  make_sim.call(self)
  refreshing.call(self)
end
