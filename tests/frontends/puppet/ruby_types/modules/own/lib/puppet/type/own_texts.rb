# newparam(:in_a_comment)
=begin
Puppet::Type.newtype(:own_texts) { newparam(:in_a_block_comment) }
=end
Puppet::Type.newtype(:own_texts) do
  @doc = "A text with newparam(:in_a_text), an end and #{'}' + "newparam(:in_code) { #{1 + 1} }"} do"

  desc <<-'EOT' + %q{ and newparam(:in_parentheses) do }
    newparam(:in_a_heredoc) do
  EOT

  newparam(:name) do
    desc <<~FIRST, <<-SECOND if false
      end
    FIRST
      newparam(:in_the_second) do
    SECOND
    newvalues(%r{^[^/"']+/do$}, /end|do #{'x' if true}/)
    munge { |value| value.length / 2 > 1 ? value : "#{value}/" }
  end

  newproperty(:quoted) do
    desc 'It\'s "do" # no comment'
    defaultto { ?" + '"' }
    validate do |value|
      raise ArgumentError, "no #{value}" unless value =~ /\A\/#/ || value == :end or value.class == String
    end
    def insync?(is) = is == should
  end

  newparam :percent, :boolean => true do
    newvalues(*%w[begin end], *%i[def do])
    defaultto :"end"
  end

  def self.end?; false end
  def do?; {if: 1, end: 2, "do": 3}[:end] end
  def value=
    nil
  end
end
__END__
newparam(:after_the_end)
