# What Ruby says of a value: its class, and its text; with an address it would be no use.
Puppet::Functions.create_function(:'demo::said') do
  dispatch(:said) { param 'Any', :value }

  def said(value)
    shown = value.inspect
    "#{value.class} #{shown.include?('0x') ? value : shown}"
  end
end
