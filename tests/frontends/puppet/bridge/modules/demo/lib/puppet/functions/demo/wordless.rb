# Declares something and returns what the language has no value for.
Puppet::Functions.create_function(:'demo::wordless', Puppet::Functions::InternalFunction) do
  dispatch :declare do
    scope_param
    param 'String', :title
  end

  def declare(scope, title)
    scope.call_function('create_resources', ['notify', { title => {} }])
    Class
  end
end
