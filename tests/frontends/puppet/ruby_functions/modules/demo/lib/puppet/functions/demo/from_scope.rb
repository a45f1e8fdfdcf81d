# Declares a resource from the scope that it is given.
Puppet::Functions.create_function(:'demo::from_scope', Puppet::Functions::InternalFunction) do
  dispatch :from_scope do
    scope_param
    param 'String', :title
  end

  def from_scope(scope, title)
    scope.call_function('create_resources', ['notify', { title => {} }])
  end
end
