# Refuses much.
Puppet::Functions.create_function(:'demo::strict') do
  dispatch :one do
    param 'Integer[1, 5]', :number
    optional_param 'String', :word
    return_type 'String'
  end

  dispatch :listed do
    param 'Array[String]', :words
  end

  argument_mismatch :none do
    param 'Undef', :nothing
  end

  def one(number, word = nil)
    number == 5 ? 5 : "#{number}#{word}"
  end

  def listed(words)
    raise ArgumentError, 'no words' if words.empty?
    raise Puppet::ParseError, 'a bad word' if words[0] == 'bad'
    raise Puppet::ParseError.new('a placed word', '/some/file.pp', 7) if words[0] == 'placed'
    raise NotImplementedError, 'not yet' if words[0] == 'later'

    words.fetch(3)
  end

  def none(_nothing)
    'wants something'
  end
end
