Puppet::Type.newtype(:own_conditions) do
  newparam(:name)
  newparam(:sometimes) if Puppet.version.to_i > 0
  if Puppet::Util::Platform.windows?
    newparam(:owner)
  else
    newproperty(:mode)
  end
  unless true
    newparam(:never)
  else
    newparam(:always)
  end
  case Puppet.version
  when /\A[0-9]/ then newparam(:versioned)
  else newparam(:unversioned)
  end
  newparam(:key) { isnamevar if Puppet.version.start_with?('0') }
end
