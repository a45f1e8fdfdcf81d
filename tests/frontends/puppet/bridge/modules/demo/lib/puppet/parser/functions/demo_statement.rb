# Declares something.
Puppet::Parser::Functions.newfunction(:demo_statement, arity: 1) do |args|
  function_create_resources(['notify', { args[0] => { 'message' => 'made' } }])
  call_function('include', ['demo::small'])
end
