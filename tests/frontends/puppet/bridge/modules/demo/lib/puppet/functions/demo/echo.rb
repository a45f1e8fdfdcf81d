# Its argument, as it came.
Puppet::Functions.create_function(:'demo::echo') do
  dispatch(:echo) { param 'Any', :value }

  def echo(value)
    value
  end
end
