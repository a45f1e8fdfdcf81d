# A function of the 3.x API.
Puppet::Parser::Functions.newfunction(:demo_old, type: :rvalue, arity: -2) do |args|
  raise Puppet::ParseError, 'demo_old(): no such thing' if args[0] == 'bad'

  args.map { |one| one.inspect.encode('UTF-8').sub(/:0x\h+/, '') } + [lookupvar('demo::name'), lookupvar('::kernel'), self['nothing']]
end
