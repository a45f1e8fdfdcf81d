# Declares a resource from the scope of the call.
Puppet::Parser::Functions.newfunction(:demo_declares) do |args|
  function_create_resources(['notify', { args[0] => {} }])
end
