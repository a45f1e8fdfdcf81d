Puppet::Functions.create_function(:'data::whole') do
  dispatch :found do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def found(options, context)
    return context.cached_value('data') if context.cache_has_key('data')

    context.cache('data', options['keys'].to_h { |key| [key, options['name']] })
  end
end
