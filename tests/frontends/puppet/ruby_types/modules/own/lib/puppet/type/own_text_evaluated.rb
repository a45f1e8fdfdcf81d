Puppet::Type.newtype(:own_text_evaluated) do
  newparam(:name)
  %w[one two].each { |name| class_eval("newparam(:#{name})") }
end
