# What is around the call, and around the function.
Puppet::Functions.create_function(:'demo::around', Puppet::Functions::InternalFunction) do
  dispatch :around do
    scope_param
    param 'String', :name
  end

  def around(scope, name)
    [scope[name], closure_scope[name], scope.to_s, scope.include?(name), scope.exist?(name)]
  end
end
