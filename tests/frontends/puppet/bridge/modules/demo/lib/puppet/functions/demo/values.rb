# Values of many kinds.
Puppet::Functions.create_function(:'demo::values') do
  dispatch(:values) { param 'String', :kind }

  def values(kind)
    case kind
    when 'symbol' then :word
    when 'undef' then [:undef, nil]
    when 'nan' then Float::NAN.nan?.to_s
    when 'keys' then { 1 => 'a', 'b' => { nil => 2.5 } }
    when 'big' then 2**62
    when 'latin' then "caf\xE9".dup.force_encoding('ISO-8859-1')
    when 'sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new('s')
    when 'type' then Puppet::Pops::Types::TypeFactory.integer
    when 'tag' then { '!' => ['r', 0] }
    end
  end
end
