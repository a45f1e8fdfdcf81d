# CPU seconds of Puppet's compiler for the manifests named on standard input, one a line.

require 'json'
require 'puppet'
require 'tmpdir'

Dir.mktmpdir do |dir|
  folders = %w[conf code var log run public].flat_map do |name|
    ["--#{name}dir", File.join(dir, name).tap { |path| Dir.mkdir(path) }]
  end
  Puppet.initialize_settings(folders + ['--certname', 'node.example.com'])
  environment = Puppet::Node::Environment.create(:production, [])
  seconds = $stdin.each_line(chomp: true).map do |path|
    Puppet[:code] = File.read(path)
    Puppet.override(environments: Puppet::Environments::Static.new(environment),
                    current_environment: environment) do
      node = Puppet::Node.new('node.example.com', environment: environment)
      before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      Puppet::Parser::Compiler.compile(node)
      environment.instance_variable_set(:@known_resource_types, nil)
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
    end
  end
  puts JSON.generate(seconds)
end
