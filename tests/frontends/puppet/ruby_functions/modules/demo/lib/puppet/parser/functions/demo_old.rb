# The older kind, with another function beside it.
module Puppet::Parser::Functions
  newfunction(:demo_quoted, type: :rvalue) do |args|
    "'#{args[0]}'"
  end

  newfunction(:demo_old, type: :rvalue, arity: -2, doc: <<-EOS
    Returns what it is given, and a variable.
  EOS
             ) do |args|
    raise(Puppet::ParseError, 'demo_old(): no text') unless args[0].is_a?(String)

    found = lookupvar('here')
    return [function_demo_quoted([args[0]]), found] if args.length == 1

    args[1..-1].map { |one| one.nil? ? 'nil' : one }
  end
end
