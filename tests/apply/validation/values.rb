# Says what Puppet's types say of values: a JSON list [type, title, parameters] a line on standard
# input, the error or null for each.
require 'json'
require 'puppet'
require 'tmpdir'

Dir.mktmpdir do |state|
  Puppet.initialize_settings(["--confdir=#{state}", "--vardir=#{state}"])
  path = %w[/usr/share/puppet/modules /usr/share/puppet/vendor_modules].select { |d| File.directory?(d) }
  env = Puppet::Node::Environment.create(:production, path)
  loaders = Puppet::Environments::Static.new(env)
  Puppet.override(current_environment: env, environments: loaders) do
    $stdin.each_line do |line|
      type, title, parameters = JSON.parse(line)
      begin
        Puppet::Resource.new(type, title, parameters: parameters.transform_keys(&:to_sym)).to_ral
        puts 'null'
      rescue StandardError => e
        puts JSON.generate(e.message.lines.first.chomp)
      end
    end
  end
end
