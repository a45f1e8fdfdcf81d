# Declares resources.
Puppet::Functions.create_function(:'demo::declares') do
  dispatch :declares do
    param 'Hash[String, Hash]', :settings
    optional_block_param
  end

  def declares(settings)
    all = settings.each_with_object({}) do |(section, values), made|
      raise ArgumentError, format('%s is empty', section) if values.empty?

      values.each { |key, value| made["#{section}/#{key}"] = { 'message' => value.to_s } }
    end
    all.each_key { |title| yield title } if block_given?
    call_function('create_resources', 'notify', all)
  end
end
