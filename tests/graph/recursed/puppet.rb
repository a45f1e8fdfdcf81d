#!/usr/bin/env ruby
# frozen_string_literal: true

# Which files Puppet generates for folders with `recurse`, when, and between which others: a noop run.
#
# JSON lines in and out. Case: `id`, `code`, `modulepath`. Answer: `generated` (parameters by
# reference), `contained`, `order`, `edges` ([source, target, callback]); `error` where nothing is applied,
# `logs` of what could not be generated. The end of what a folder generates is Completed[File[path]].

require 'json'
require 'tmpdir'
require 'fileutils'
require 'puppet'

STATE = Dir.mktmpdir('catgraph-recursed-')
at_exit { FileUtils.rm_rf(STATE) }
Puppet.initialize_settings(['--confdir', STATE, '--vardir', "#{STATE}/var", '--certname', 'node.example.com'])
Puppet[:noop] = true
Puppet[:default_file_terminus] = :file_server
LOGS = []
Puppet::Util::Log.newdesttype(:kept) { define_method(:handle) { |message| LOGS << message } }
Puppet::Util::Log.newdestination(:kept)

def ref(vertex)
  return vertex.ref unless vertex.is_a?(Puppet::Type.type(:whit))

  name = vertex.name
  return "Admitted[#{name.delete_prefix('admissible_')}]" if name.start_with?('admissible_')

  name = name.delete_prefix('completed_')
  name.start_with?('/') ? "Completed[File[#{name}]]" : "Completed[#{name}]"
end

def text(value)
  value.is_a?(Array) ? value.map { |one| text(one) } : value.to_s
end

def parameters(resource)
  found = resource.original_parameters.merge(source: resource[:source], target: resource[:target])
  found[:ensure] = :link if resource[:target]
  found.compact.to_h { |name, value| [name.to_s, text(value)] }
end

def catalog_of(env)
  node = Puppet::Node.new('node.example.com', environment: env)
  node.add_server_facts({})
  data = Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash
  catalog = Puppet::Resource::Catalog.from_data_hash(JSON.parse(JSON.generate(data))).to_ral
  catalog.environment_instance = env
  catalog.finalize
  catalog
end

def run(catalog)
  known = catalog.vertices.map(&:ref)
  order = []
  transaction = Puppet::Transaction.new(catalog, nil, Puppet::Graph::SequentialPrioritizer.new)
  transaction.define_singleton_method(:eval_resource) { |one, *rest| order << ref(one) && super(one, *rest) }
  transaction.evaluate
  edges = transaction.relationship_graph.edges.map { |e| [ref(e.source), ref(e.target), e.callback.to_s] }
  made = catalog.vertices.reject { |one| known.include?(one.ref) || !one.is_a?(Puppet::Type.type(:file)) }
  { 'generated' => made.to_h { |one| [one.ref, parameters(one)] },
    'contained' => made.map { |one| catalog.container_of(one).ref }.uniq,
    'order' => order.grep_v(/\A(Schedule|Filebucket)/), 'edges' => edges }
end

def answer(kase)
  env = Puppet::Node::Environment.create(:production, kase['modulepath'])
  Puppet[:code] = kase['code']
  LOGS.clear
  loader = Puppet::Environments::Static.new(env)
  found = Puppet.override(environments: loader, current_environment: env, rich_data: false) { run(catalog_of(env)) }
  found['logs'] = LOGS.map(&:message).grep(/\AFailed to generate/)
  found
rescue Puppet::Error => e
  { 'error' => e.message }
end

$stdin.each_line do |line|
  kase = JSON.parse(line)
  puts JSON.generate({ 'id' => kase['id'] }.merge(answer(kase)))
  $stdout.flush
end
