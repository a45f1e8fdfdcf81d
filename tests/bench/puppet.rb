#!/usr/bin/env ruby
# frozen_string_literal: true

# What the same work costs in real Puppet: `puppet.rb relate|paths CATALOG.json [WARM.json]`.
#
# relate: from JSON to the cycles, in one process. paths: the paths of the cycles, graph given.
# Prints one JSON object: CPU seconds of the work, peak memory of the process in kB, and counts.

require 'json'
require 'tmpdir'
require 'fileutils'

# Stands where the facter gem would, so that no time goes into reading the facts of this machine.
module Facter
  FACTS = { 'kernel' => 'Linux', 'osfamily' => 'Debian', 'operatingsystem' => 'Debian',
            'os' => { 'family' => 'Debian', 'name' => 'Debian' } }.freeze
  class << self
    def value(name) = FACTS[name.to_s] || FACTS.dig(*name.to_s.split('.'))
    def to_hash = FACTS
    def method_missing(*) = nil
    def respond_to_missing?(*) = true
  end
end
$LOADED_FEATURES << 'facter.rb'

require 'puppet'

STATE = Dir.mktmpdir('catgraph-bench-')
at_exit { FileUtils.rm_rf(STATE) }

def cpu
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
end

def prepare
  folders = %w[conf code var log run public].flat_map do |name|
    ["--#{name}dir", File.join(STATE, name).tap { |path| FileUtils.mkdir_p(path) }]
  end
  Puppet.initialize_settings(folders + ['--certname', 'node.example.com'], true, true)
  environment = Puppet::Node::Environment.create(:production, [])
  Puppet.push_context(environments: Puppet::Environments::Static.new(environment),
                      current_environment: environment)
end

def graph_of(path)
  catalog = Puppet::Resource::Catalog.from_data_hash(JSON.parse(File.read(path)))
  catalog.to_ral.tap(&:finalize).relationship_graph
end

def peak_memory
  File.read('/proc/self/status')[/VmHWM:\s+(\d+)/, 1].to_i
end

# A search for paths in a larger knot would take all memory there is.
Process.setrlimit(Process::RLIMIT_AS, 6 << 30)
prepare
work, path, warm = ARGV
graph_of(warm).find_cycles_in_graph if warm
if work == 'relate'
  start = cpu
  graph = graph_of(path)
  cycles = graph.find_cycles_in_graph
else
  graph = graph_of(path)
  cycles = graph.find_cycles_in_graph
  start = cpu
  cycles.each { |cycle| graph.paths_in_cycle(cycle) }
end
puts JSON.generate('cpu' => cpu - start, 'memory' => peak_memory, 'cycles' => cycles.size,
                   'vertices' => graph.size)
