# Changes what it is given.
Puppet::Functions.create_function(:'demo::changes') do
  dispatch(:changes) { param 'Any', :value }

  def changes(value)
    case value
    when Array then value.unshift('first').push(['last'])
    when Hash then value['new'] = value.delete(value.keys.first)
    end
    value
  end
end
