# What Puppet's compiler takes: on standard input one JSON object a line, `code`, `modulepath` and
# `facts`, compiled as often as `times` says; `anew`: each time in an environment that knows nothing.
#
# Prints one JSON object: `cpu`, the median seconds of each, and `memory`, the peak in kB.

require 'json'
require 'puppet'
require 'tmpdir'

def cpu_seconds
  before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
end

def median(values) = values.sort[values.size / 2]

def environment_of(work) = Puppet::Node::Environment.create(:production, work['modulepath'])

def compile(work, environment)
  values = work['facts'].merge('clientversion' => Puppet.version)
  # `$facts` is made of the facts of a node, other variables of its parameters.
  facts = Puppet::Node::Facts.new('node.example.com', values)
  node = Puppet::Node.new('node.example.com', environment: environment, facts: facts)
  node.merge(values)
  Puppet.override(environments: Puppet::Environments::Static.new(environment),
                  current_environment: environment) do
    GC.start
    cpu_seconds { Puppet::Parser::Compiler.compile(node) }
  end
end

def seconds_of(work)
  Puppet[:code] = work['code']
  environment = environment_of(work)
  # The first time Ruby loads what it needs.
  compile(work, environment) if work['times'] > 1
  median(Array.new(work['times']) { compile(work, work['anew'] ? environment_of(work) : environment) })
end

Dir.mktmpdir do |dir|
  folders = %w[conf code var log run public].flat_map do |name|
    ["--#{name}dir", File.join(dir, name).tap { |path| Dir.mkdir(path) }]
  end
  Puppet.initialize_settings(folders + ['--certname', 'node.example.com'])
  seconds = $stdin.each_line.map { |line| seconds_of(JSON.parse(line)) }
  memory = File.read('/proc/self/status')[/VmHWM:\s+(\d+)/, 1].to_i
  puts JSON.generate(cpu: seconds, memory: memory)
end
