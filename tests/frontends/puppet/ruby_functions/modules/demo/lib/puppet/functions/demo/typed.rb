# Types of modules and of its own.
Puppet::Functions.create_function(:'demo::typed') do
  local_types do
    type 'Word = Pattern[/\A\w+\z/]'
  end

  dispatch :port do
    param 'Demo::Port', :port
    optional_param 'Word', :word
    return_type 'String'
  end

  dispatch :words do
    required_repeated_param 'Word', :words
  end

  def port(port, word = 'none')
    "#{word}:#{port}"
  end

  def words(*words)
    words.map { |one| shout(one) }
  end

  private

  def shout(text)
    text.upcase
  end
end
