#!/usr/bin/env ruby
# frozen_string_literal: true

# What the type system of real Puppet says: of types, of values, and of both together.
#
# JSON lines in, JSON lines out (one answer each, same order). The first argument is a file of type
# aliases, one on a line (`type T::Port = Integer[1, 65535]`), which all questions may use.
#
# Question: `id`; `ask`, one of
#   text        `type`: how it is printed
#   normal      `type`: printed in its shortest form
#   general     `type`: printed without limits
#   instance    `type`, `value`: whether the value is of the type
#   assignable  `type`, `other`: whether the other type is assignable to it
#   equal       `type`, `other`: whether they are equal
#   common      `type`, `other`: what they have in common
#   infer       `value`: its type; in full; without limits
#   mismatch    `type`, `value`: why the value is not of the type
#   parameters  `type` (a Struct), `value` (a hash): why these parameters are refused
#   parse       `type`: printed, as read by the TypeParser (the others are read by the evaluator)
#   value       `value`: an expression, printed with its type
# Types and values are in Puppet's syntax. Answer: `id`; `said` (text) or `error` (the message).

require_relative 'asked'

# Answers one question after the other, in one process.
class TypeSystem
  Types = Puppet::Pops::Types

  def initialize(aliases)
    initialize_puppet
    write(aliases) if aliases
    env = Puppet::Node::Environment.create(:production, [File.join(STATE, 'modules')])
    @compiler = Puppet::Parser::Compiler.new(Puppet::Node.new('node', environment: env))
    @scope = @compiler.topscope
    Puppet.push_context(environments: Puppet::Environments::Static.new(env), current_environment: env,
                        loaders: @compiler.loaders, global_scope: @scope)
    @parser = Puppet::Pops::Parser::EvaluatingParser.new
    @calculator = Types::TypeCalculator.singleton
    @loader = @compiler.loaders.private_environment_loader
  end

  def answer(question)
    { id: question['id'], said: Timeout.timeout(20) { say(question) } }
  rescue StandardError, SystemStackError => e
    { id: question['id'], error: bare(e) }
  end

  private

  def write(aliases)
    File.readlines(aliases).grep(/^type /).each do |line|
      name = line[/^type (\w+)::(\w+)/, 0].sub('type ', '')
      mod, short = name.downcase.split('::')
      folder = File.join(STATE, 'modules', mod, 'types')
      FileUtils.mkdir_p(folder)
      File.write(File.join(folder, "#{short}.pp"), line)
    end
  end

  def bare(error)
    text = Exception.instance_method(:to_s).bind_call(error).scrub
    text.sub(/\AEvaluation Error: /, '').sub(/\AError while evaluating an? [^,]+, /, '')
  end

  def value_of(text)
    @parser.evaluate_string(@scope, text, 'test')
  end

  def say(question)
    send("say_#{question['ask']}", *question.values_at('type', 'value', 'other').compact)
  end

  def say_text(type)
    value_of(type).to_s
  end

  def say_parse(type)
    Types::TypeParser.singleton.parse(type, @loader).to_s
  end

  def say_normal(type)
    value_of(type).normalize.to_s
  end

  def say_general(type)
    value_of(type).generalize.to_s
  end

  def say_instance(type, value)
    value_of(type).instance?(value_of(value)) ? 'yes' : 'no'
  end

  def say_assignable(type, other)
    value_of(type).assignable?(value_of(other)) ? 'yes' : 'no'
  end

  def say_equal(type, other)
    value_of(type) == value_of(other) ? 'yes' : 'no'
  end

  def say_common(type, other)
    @calculator.common_type(value_of(type), value_of(other)).to_s
  end

  def say_infer(value)
    found = value_of(value)
    inferred = @calculator.infer(found)
    [inferred, @calculator.infer_set(found), inferred.generalize].map(&:to_s).join(' | ')
  end

  def say_mismatch(type, value)
    found = value_of(value)
    expected = value_of(type)
    return 'fits' if expected.instance?(found)

    Types::TypeMismatchDescriber.singleton.describe_mismatch('it', expected, @calculator.infer_set(found))
  end

  def say_parameters(type, value)
    Types::TypeMismatchDescriber.validate_parameters('Class[X]', value_of(type), value_of(value))
    'fits'
  end

  def say_value(value)
    show(value_of(value))
  end

  def show(found)
    case found
    when Types::PBinaryType::Binary then "Binary #{found}"
    when Types::PSensitiveType::Sensitive then "Sensitive #{show(found.unwrap)}"
    when URI then "URI #{found}"
    when Puppet::Pops::Time::Timespan then "Timespan #{found.nsecs}"
    when Puppet::Pops::Time::Timestamp then "Timestamp #{found.nsecs}"
    when SemanticPuppet::Version then "SemVer #{found}"
    when SemanticPuppet::VersionRange then "SemVerRange #{found} #{found.ranges.size}"
    when Array then "[#{found.map { |each| show(each) }.join(', ')}]"
    when Hash then "{#{found.map { |key, each| "#{show(key)} => #{show(each)}" }.join(', ')}}"
    when String then found.inspect
    else Types::TypeFormatter.singleton.string(found)
    end
  end
end

answer_all(TypeSystem.new(ARGV[0]))
