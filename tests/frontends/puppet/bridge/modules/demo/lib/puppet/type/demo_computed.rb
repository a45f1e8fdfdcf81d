# What its blocks name cannot be read: it is computed.
Puppet::Type.newtype(:demo_computed) do
  newparam(:name, namevar: true)
  newparam(:dir)
  newparam(:broken)

  autorequire(:file) do
    raise 'by design' if self[:broken]

    [ENV.fetch('NOT_SET', File.join(self[:dir], 'x'))]
  end
  autonotify(:service) do
    catalog.resources.select { |one| one.type == :service && one[:name].start_with?('web') }.map(&:title)
  end
  autobefore(:user) { catalog.resources.grep(Puppet::Type.type(:user)) }
end
