#!/usr/bin/env ruby
# frozen_string_literal: true

# What real Puppet makes of expressions: their values, or the errors. Nothing is applied.
#
# JSON lines in (one expression each), JSON lines out (one answer each, same order).
#
# Question: `id`; `expression` (text); `facts` (hash), `modulepath` (list).
# Answer: `id`; `value`, or `error` (the message without the place); `logs` (absent, or a list of
# [level, message]).
# Values JSON has no word for are objects with one key: {"hash": [[key, value], ...]},
# {"regexp": source}, {"sensitive": value}, {"default": true}, {"iterator": [values]},
# {"bytes": hex} (text that is not UTF-8), {"float": text} (no finite number), {"rich": text}.

require_relative 'asked'

SECONDS = 20

Messages = Struct.new(:list)
Puppet::Util::Log.newdesttype :catgraph do
  match 'Messages'

  def initialize(holder)
    @holder = holder
  end

  def handle(msg)
    @holder.list << [msg.level.to_s, msg.message]
  end
end

# Writes values so that JSON keeps them.
module Tagged
  Types = Puppet::Pops::Types

  def self.of(value)
    case value
    when nil, true, false, Integer then value
    when Float then value.finite? ? value : { float: value.to_s }
    when String then text(value)
    when Array then value.map { |one| of(one) }
    when Hash then { hash: value.map { |key, one| [of(key), of(one)] } }
    when :default then { default: true }
    when Regexp then { regexp: value.source }
    when Types::PSensitiveType::Sensitive then { sensitive: of(value.unwrap) }
    when Types::Iterable then value.is_a?(Types::PAnyType) ? rich(value) : { iterator: of(value.to_a) }
    else rich(value)
    end
  end

  def self.text(value)
    utf8 = value.encoding == Encoding::BINARY ? value.dup.force_encoding('UTF-8') : value
    utf8.valid_encoding? ? utf8 : { bytes: value.unpack1('H*') }
  end

  def self.rich(value)
    { rich: value.to_s }
  end
end

# Answers one question after the other, in one process.
class Evaluation
  Pops = Puppet::Pops

  def initialize
    initialize_puppet
    Puppet[:strict] = :warning
    @messages = Messages.new([])
    Puppet::Util::Log.newdestination(@messages)
  end

  def answer(question)
    @messages.list.clear
    Puppet.clear_deprecation_warnings
    out = { id: question['id'] }
    begin
      out[:value] = Timeout.timeout(SECONDS) { Tagged.of(value(question)) }
    rescue StandardError, SystemStackError, ScriptError => e
      out[:error] = Exception.instance_method(:to_s).bind_call(e).scrub
    end
    out[:logs] = @messages.list.dup unless @messages.list.empty?
    out
  end

  private

  def value(question)
    paths = Array(question['modulepath']).map { |path| File.expand_path(path) }
    env = Puppet::Node::Environment.create(:production, paths, Puppet::Node::Environment::NO_MANIFEST)
    loader = Puppet::Environments::Static.new(env)
    Puppet.override(environments: loader, current_environment: env) do
      in_scope(env, question['facts'] || {}) do |scope|
        Pops::Parser::EvaluatingParser.new.evaluate_string(scope, question['expression'])
      end
    end
  end

  def in_scope(env, facts)
    node = Puppet::Node.new('node.example.com', environment: env, facts: Puppet::Node::Facts.new('node', facts))
    compiler = Puppet::Parser::Compiler.new(node)
    scope = compiler.topscope
    Puppet.override(global_scope: scope, loaders: compiler.loaders) do
      compiler.send(:evaluate_main)
      scope.set_facts(facts)
      yield scope
    end
  end
end

answer_all(Evaluation.new)
