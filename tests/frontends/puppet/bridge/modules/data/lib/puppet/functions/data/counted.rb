Puppet::Functions.create_function(:'data::counted') do
  dispatch :found do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def found(key, options, context)
    return context.not_found unless key.end_with?('counted')

    calls = (context.cached_value('calls') || 0) + 1
    context.cache('calls', calls)
    "#{options['name']} #{context.module_name.inspect} #{calls} #{key}"
  end
end
