#!/usr/bin/env ruby
# frozen_string_literal: true

# What real Puppet looks up in an environment.
#
# JSON lines in (one environment each), JSON lines out (one answer each, same order).
#
# Question: `id`; `root` (folder of the environment: hiera.yaml, data, modules), `global` (path of
# the global hiera.yaml), `facts` (hash), `variables` (hash, in the top scope), `strict` (default
# warning), `calls` (list of {function, arguments, block}): `lookup`, `hiera`, `hiera_array`,
# `hiera_hash`, or `parameter`, the automatic lookup of a class's parameter. `yaml` (list of texts)
# asks what Psych makes of each instead. `explain` is what the explainer of `puppet lookup` says of a
# key: the places that have it; with `every` as the second argument all that have it.
# Answer: `id`, `results`: a list of {value}, {error} or {missing: true}; `warnings`. Values that
# JSON has not are {"__type": name, "value": text}.

require_relative 'asked'

Warnings = Struct.new(:list)
Puppet::Util::Log.newdesttype :catgraph_lookup do
  match 'Warnings'

  def initialize(holder)
    @holder = holder
  end

  def handle(msg)
    @holder.list << msg.message if msg.level == :warning
  end
end

# Writes values with what JSON cannot hold.
module Plain
  module_function

  def of(value)
    case value
    when Hash then hash(value)
    when Array then value.map { |element| of(element) }
    when Symbol then typed('Symbol', value.to_s)
    when Float then value.finite? ? value : typed('Float', value.to_s)
    when String then string(value)
    when Puppet::Pops::Types::PSensitiveType::Sensitive then typed('Sensitive', of(value.unwrap))
    when Integer, true, false, nil then value
    else typed(value.class.name, value.to_s)
    end
  end

  def hash(value)
    return value.to_h { |key, element| [of(key), of(element)] } if value.keys.all? { |key| of(key).is_a?(String) }

    typed('Hash', value.map { |key, element| [of(key), of(element)] })
  end

  def string(value)
    text = value.dup.force_encoding('UTF-8')
    text.valid_encoding? ? text : typed('Binary', value.unpack1('H*'))
  end

  def typed(name, value)
    { '__type' => name, 'value' => value }
  end
end

# The first value wins, and all places are asked.
class EveryStrategy < Puppet::Pops::MergeStrategy
  def self.key = :catgraph_every

  def merge(first, _second)
    first
  end

  def merge_single(value)
    value
  end

  protected

  def value_t
    Puppet::Pops::Types::PAnyType::DEFAULT
  end
end

# Answers one question after the other, in one process.
class Lookups
  def initialize
    initialize_puppet
    @warnings = Warnings.new([])
    Puppet::Util::Log.newdestination(@warnings)
  end

  def answer(question)
    @warnings.list.clear
    Puppet.clear_deprecation_warnings
    results = question['yaml'] ? yaml(question['yaml']) : environment(question)
    { id: question['id'], results: results, warnings: @warnings.list.dup }
  rescue StandardError, SystemStackError => e
    { id: question['id'], crash: "#{e.class}: #{e.message} #{e.backtrace.first(5)}".scrub }
  end

  private

  def yaml(texts)
    texts.map do |text|
      { value: Plain.of(Puppet::Util::Yaml.safe_load(text, [Symbol], '/f.yaml')) }
    rescue Puppet::Error => e
      { error: e.message.scrub }
    end
  end

  def environment(question)
    Puppet[:strict] = (question['strict'] || 'warning').to_sym
    Puppet[:hiera_config] = question['global']
    root = question['root']
    loader = Puppet::Environments::Directories.new(Pathname.new(File.dirname(root)), [])
    # Without the loader the environment would have the modules of the machine.
    env = Puppet.override(environments: loader) { loader.get(File.basename(root)) }
    Puppet.override(environments: loader, current_environment: env, loaders: Puppet::Pops::Loaders.new(env),
                    trusted_information: trusted) do
      scope = scope_of(env, question)
      question['calls'].map { |call| result(scope, call) }
    end
  end

  def trusted
    Puppet::Context::TrustedInformation.new('remote', 'node.example.com', {})
  end

  def scope_of(env, question)
    facts = Puppet::Node::Facts.new('node.example.com', question['facts'] || {})
    node = Puppet::Node.new('node.example.com', environment: env, facts: facts)
    node.merge((question['facts'] || {}).merge(question['variables'] || {}))
    node.trusted_data = trusted.to_h
    compiler = Puppet::Parser::Compiler.new(node)
    compiler.send(:set_node_parameters)
    compiler.topscope
  end

  def result(scope, call)
    return parameter(scope, call['arguments'][0]) if call['function'] == 'parameter'
    return { value: explained(scope, *call['arguments']) } if call['function'] == 'explain'

    arguments = call['arguments'].map { |argument| typed(argument) }
    block = call.key?('block') ? proc { |_name| call['block'] } : nil
    { value: Plain.of(scope.call_function(call['function'], arguments, &block)) }
  rescue StandardError, SystemStackError => e
    { error: e.message.scrub, class: e.class.name }
  end

  def explained(scope, key, every = nil)
    invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, true)
    merge = every ? EveryStrategy.new({}) : nil
    error = nil
    catch(:no_such_key) do
      invocation.lookup(key, nil) do
        invocation.only_explain_options? ? nil : Puppet::Pops::Lookup.search_and_merge(key, invocation, merge)
      end
    rescue StandardError => e
      error = e.class.name
    end
    rows = []
    places(invocation.explainer.to_hash, nil, key, rows)
    { rows: rows, merge: merges(invocation.explainer.to_hash), error: error }
  end

  # The locations of data that have a key, but not those of interpolations and of options.
  def places(node, level, key, rows)
    return if node[:type] == :interpolate || (node[:type] == :root && node[:key] == 'lookup_options')

    level = node[:name] || level
    path = node[:path] || node[:uri]
    rows << [level.to_s, path.to_s] if path && node[:event] == :found && node[:key] == key
    (node[:branches] || []).each { |branch| places(branch, level, key, rows) }
  end

  def merges(node)
    return [] if node[:type] == :interpolate || (node[:type] == :root && node[:key] == 'lookup_options')

    own = node[:merge] if node[:type] == :merge
    ((own ? [own.to_s] : []) + (node[:branches] || []).flat_map { |branch| merges(branch) }).uniq
  end

  # A type is asked for as {"type": text}.
  def typed(argument)
    return argument unless argument.is_a?(Hash) && argument.keys == ['type']

    Puppet::Pops::Types::TypeParser.singleton.parse(argument['type'])
  end

  def parameter(scope, name)
    found = catch(:no_such_key) do
      invocation = Puppet::Pops::Lookup::Invocation.new(scope)
      return { value: Plain.of(Puppet::Pops::Lookup.search_and_merge(name, invocation, nil)) }
    end
    found.nil? ? { missing: true } : found
  end
end

answer_all(Lookups.new)
