# Calls a function, with a block if it is given a word for it.
Puppet::Functions.create_function(:'demo::calls') do
  dispatch :calls do
    param 'String', :name
    param 'Array', :arguments
    optional_param 'String', :word
  end

  def calls(name, arguments, word = nil)
    return call_function(name, *arguments) unless word

    call_function(name, *arguments) { |value| "#{word}#{value}" }
  end
end
