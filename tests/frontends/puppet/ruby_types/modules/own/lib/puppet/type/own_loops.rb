Puppet::Type.newtype(:own_loops) do
  newparam(:name, :namevar => true)
  PAIRS = { first: 'one', 'second' => :two }.freeze
  [:red, 'green'].each do |color|
    newparam(color)
    %w[light dark].each { |shade| newproperty("#{shade}_#{color}") }
  end
  PAIRS.each_pair { |key, value| newparam(:"#{key}_#{value}") }
  PAIRS.each_key do |key|
    newproperty(key)
  end
  %i[a b].each_with_index { |letter, number| newparam("#{letter}#{number}".to_sym) }
  names = []
  names << :pushed
  names.push('also', 'too')
  names.map(&:to_sym).each { |one| newparam(one) } if false
  names.each { |one| newproperty(one) }
  options = { :namevar => false }
  options[:boolean] = true
  newparam(:with_options, options)
  newparam(1 > 0 ? :larger : :smaller) if false
end
