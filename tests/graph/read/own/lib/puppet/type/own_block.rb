# Blocks that can be read: parameters, constants, lists, texts, conditions, methods.
Puppet::Type.newtype(:own_block) do
  DEFAULTS = %w[first second].freeze

  newparam(:name, namevar: true)
  newparam(:path)
  newproperty(:owner)
  newproperty(:groups, array_matching: :all)
  newproperty(:one_of_many)
  newparam(:parts) { defaultto [] }
  newparam(:kind) do
    newvalues(:a, :b, true, false)
    defaultto :a
  end
  newparam(:lower) { munge { |value| value.downcase } }
  newparam(:flag, boolean: true, parent: Puppet::Parameter::Boolean)

  autorequire(:file) { self[:path] }
  autorequire(:file) { [self[:path], "/etc/#{self[:name]}"] }
  autorequire(:user) { [self[:owner], 'fixed', nil] }
  autorequire(:group) { self[:groups] }
  autosubscribe(:exec) { helper }
  autonotify(:service) { self[:parts].map { |part| "svc-#{part}" } }
  autobefore(:notify) do
    found = DEFAULTS.dup
    found << "kind #{self[:kind]}" if self[:kind] == :a
    found << 'true in Ruby' if self[:kind]
    found << self[:lower] unless self[:lower].nil?
    found << 'flag' if self[:flag]
    found << @parameters[:one_of_many].should if @parameters[:one_of_many]
    found
  end
  { stage: 'late', filebucket: 'main' }.each do |type, title|
    autobefore(type) { title }
  end
  autorequire(:nothing_like_this) { 'x' }

  def helper
    return [] if self[:path].nil?

    ["run #{title}"]
  end
end
