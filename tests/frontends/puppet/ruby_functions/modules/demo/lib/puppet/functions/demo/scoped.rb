# What is declared so far, seen from the scope of the call.
Puppet::Functions.create_function(:'demo::scoped', Puppet::Functions::InternalFunction) do
  dispatch :scoped do
    scope_param
    param 'String', :type
  end

  def scoped(scope, type)
    scope.catalog.resources.select { |one| one.type.casecmp(type).zero? }.map { |one| one.title }
  end
end
