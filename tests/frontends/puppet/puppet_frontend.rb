#!/usr/bin/env ruby
# frozen_string_literal: true

# What the front end of real Puppet says of programs: their trees, syntax errors and diagnostics.
#
# JSON lines in (one program each), JSON lines out (one answer each, same order). Nothing is evaluated.
#
# Question: `id`; `code` (text) or `path` (of a file to read); `file` (the name the program goes by,
# default: `path`); `epp` (true: a template); `strict` (default error); `modulepath` (list, for the
# checks of autoloading); `tasks` (true: plans); `pn` (default true); `pretty` (true: also the
# indented form of `--pretty`); `validate` (default true); `import` (true: also what
# `puppet parser validate` finds when it registers the definitions).
# Answer: `id`; `ok` (no error of any kind); `pn`, `pretty` (text, absent after a syntax error, or
# when Puppet cannot dump the tree);
# `syntax` (absent, or {code, message, line, pos}); `diagnostics` (list of {severity, code, message,
# line, pos}, with warnings of the lexer, in the order Puppet emits them); `raised` (true: the last
# diagnostic ended the validation, as the error of a heredoc's syntax does); `import` (absent, or
# {message, line, pos}); `crash` (text, when Puppet itself failed).

require_relative 'asked'
require 'puppet/pops/pn'

SECONDS = 60

# Puppet 7's dump fails at a parameter that captures the rest, as it calls PN::Literal(true).
unless Puppet::Pops::PN.respond_to?(:Literal)
  Puppet::Pops::PN.define_singleton_method(:Literal) { |value| Puppet::Pops::PN::Literal.new(value) }
end

Messages = Struct.new(:list, :deaf)
Puppet::Util::Log.newdesttype :catgraph do
  match 'Messages'

  def initialize(holder)
    @holder = holder
  end

  def handle(msg)
    return if @holder.deaf || msg.level != :warning || msg.issue_code.nil?

    @holder.list << { severity: 'warning', code: msg.issue_code.to_s, message: msg.message,
                      line: msg.line, pos: msg.pos }
  end
end

# Puts diagnostics between the warnings of the lexer, in the order of both.
class ListAcceptor < Puppet::Pops::Validation::Acceptor
  def initialize(list)
    super()
    @list = list
  end

  def accept(diagnostic)
    super
    place = diagnostic.source_pos
    @list << { severity: diagnostic.severity.to_s, code: diagnostic.issue.issue_code.to_s,
               message: diagnostic.issue.format(diagnostic.arguments), line: place&.line, pos: place&.pos }
  end
end

# Answers one question after the other, in one process.
class Frontend
  Pops = Puppet::Pops

  def initialize
    initialize_puppet
    @messages = Messages.new([])
    Puppet::Util::Log.newdestination(@messages)
  end

  def answer(question)
    @messages.list.clear
    out = { id: question['id'], ok: false }
    Puppet[:strict] = (question['strict'] || 'error').to_sym
    Puppet[:tasks] = question['tasks'] ? true : false
    in_environment(question) { |env| Timeout.timeout(SECONDS) { examine(question, env, out) } }
    out
  rescue StandardError, SystemStackError => e
    out.merge(crash: "#{e.class}: #{e.message}".scrub)
  end

  private

  def in_environment(question, &block)
    paths = Array(question['modulepath']).map { |path| File.expand_path(path) }
    env = Puppet::Node::Environment.create(:production, paths, Puppet::Node::Environment::NO_MANIFEST)
    loader = Puppet::Environments::Static.new(env)
    Puppet.override(environments: loader, current_environment: env) { block.call(env) }
  end

  def examine(question, env, out)
    program = parse(question, out)
    if program
      describe(program, question, out)
      validate(program, out) unless question['validate'] == false
    end
    out[:diagnostics] = @messages.list.dup
    out[:ok] = !out.key?(:syntax) && out[:diagnostics].none? { |d| d[:severity] == 'error' }
    register(program, env, out) if out[:ok] && question['import']
  end

  def parse(question, out)
    parser = question['epp'] ? Pops::Parser::EppParser.new : Pops::Parser::Parser.new
    code = question['code'] || Puppet::FileSystem.read(question['path'], encoding: 'utf-8')
    parser.parse_string(code, question['file'] || question['path']).model
  rescue Puppet::ParseError, RegexpError => e
    out[:syntax] = problem(e)
    nil
  end

  def problem(error)
    code, line, pos = %i[issue_code line pos].map { |name| error.public_send(name) if error.respond_to?(name) }
    { code: code&.to_s, message: bare(error), line: line, pos: pos }
  end

  # The message as it was raised: Puppet's own to_s puts the place behind it.
  def bare(error)
    Exception.instance_method(:to_s).bind_call(error)
  end

  def describe(program, question, out)
    return if question['pn'] == false

    pn = dump(program) or return
    out[:pn] = String.new.tap { |text| pn.format(nil, text) }
    out[:pretty] = String.new.tap { |text| pn.format(Pops::PN::Indent.new('  '), text) } if question['pretty']
  end

  # Some programs have no notation: an apply of a plan, a parameter whose name is no key.
  def dump(program)
    Pops::Model::PNTransformer.transform(program)
  rescue ArgumentError, RuntimeError
    nil
  end

  def validate(program, out)
    acceptor = ListAcceptor.new(@messages.list)
    # What is logged now comes from programs in heredocs.
    @messages.deaf = true
    Pops::Validation::ValidatorFactory_4_0.new.validator(acceptor).validate(program)
  rescue Puppet::ParseError => e
    @messages.list << { severity: 'error' }.merge(problem(e))
    out[:raised] = true
  ensure
    @messages.deaf = false
  end

  # The definitions go into the environment, as when a manifest is imported.
  def register(program, env, out)
    bridge = Puppet::Parser::AST::PopsBridge::Program.new(program, {})
    Puppet.override(loaders: Pops::Loaders.new(env)) { env.known_resource_types.import_ast(bridge, '') }
  rescue Puppet::Error, ArgumentError => e
    out[:import] = problem(e)
    out[:ok] = false
  end
end

answer_all(Frontend.new)
