# A parameter of a class, a variable, or data.
Puppet::Functions.create_function(:'demo::looked_up') do
  dispatch :looked_up do
    param 'String', :name
    optional_param 'Any', :options
  end

  def looked_up(name, options = nil)
    parts = name.split('::')
    if parts.size > 1
      key = parts.pop
      found = closure_scope.find_global_scope.catalog.resource("Class[#{parts.join('::')}]")
      return found.parameters[key.to_sym].value if found && found.parameters[key.to_sym]
    else
      found = closure_scope[name]
      return found if found
    end
    options ? call_function('lookup', name, options) : call_function('lookup', name)
  end
end
