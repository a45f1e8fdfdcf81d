module Puppet::Parser::Functions
  newfunction(:demo_declares) do |args|
    Puppet::Parser::Functions.function(:create_resources)
    function_create_resources([args[0], { args[1] => {} }])
  end
end
