# Blocks that cannot be read without running them.
Puppet::Type.newtype(:own_computed) do
  newparam(:name, namevar: true)
  newparam(:path) { munge { |value| value.tr('\\', '/') } }

  autorequire(:file) { catalog.resources.select { |one| one.is_a?(Puppet::Type.type(:file)) } }
  autorequire(:user) { self[:path] }
  autorequire(:notify) { 'read' }

  def generate
    []
  end
end
