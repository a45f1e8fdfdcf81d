#!/usr/bin/env ruby
# frozen_string_literal: true

# What a transaction of real Puppet does with a manifest of harmless types: its log and its statuses.
#
# JSON lines in, JSON lines out. Case: `id`, `code`, `settings` (noop, tags, skip_tags, ...), `debug`.
# Answer:
# `id`, `catalog`, `status`, `order` (what was evaluated, containers left out), `resources` (by
# reference: flags, failed_deps, events), `log` ([level, source, message] from info on), `error`.

require 'json'
require 'tmpdir'
require 'fileutils'
STATE = Dir.mktmpdir('catgraph-transaction-')
at_exit { FileUtils.rm_rf(STATE) }

# Stands where the facter gem would.
module Facter
  FACTS = { 'kernel' => 'Linux', 'os' => { 'family' => 'Debian', 'name' => 'Debian' } }.freeze

  class << self
    def value(name)
      FACTS[name.to_s]
    end

    def method_missing(*) end

    def respond_to_missing?(*)
      true
    end
  end
end
$LOADED_FEATURES << 'facter.rb'
require 'puppet'
require 'puppet/util/log'

HARMLESS = %w[sim simmute simself simlost notify schedule filebucket stage component].freeze
FLAGS = %i[skipped failed failed_to_restart restarted changed out_of_sync scheduled corrective_change].freeze

Messages = Struct.new(:list)
Puppet::Util::Log.newdesttype :catgraph do
  match 'Messages'

  def initialize(holder)
    @holder = holder
  end

  def handle(msg)
    # Its state file is no part of a transaction.
    return if msg.message.start_with?('Creating state file')

    @holder.list << [msg.level.to_s, msg.source.to_s, msg.message.to_s]
  end
end

module Visits
  class << self
    attr_accessor :refs
  end

  def eval_resource(resource, ancestor = nil)
    Visits.refs << resource.ref unless resource.is_a?(Puppet::Type.type(:whit))
    super
  end
end
Puppet::Transaction.prepend(Visits)

class Runner
  def initialize
    folders = %w[conf code var log run public].flat_map do |name|
      ["--#{name}dir", File.join(STATE, name).tap { |path| FileUtils.mkdir_p(path) }]
    end
    Puppet.initialize_settings(folders + ['--certname', 'node.example.com'], true, true, { facter: Facter })
    Puppet[:disable_i18n] = true
    Puppet[:statedir] = File.join(STATE, 'state').tap { |path| FileUtils.mkdir_p(path) }
    @messages = Messages.new([])
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(@messages)
    Puppet::Node.indirection.terminus_class = :plain
    @types = File.join(__dir__, 'sim', 'lib')
    $LOAD_PATH << @types
    require 'puppet/type/sim'
  end

  def run(kase)
    @messages.list.clear
    Visits.refs = []
    FileUtils.rm_rf(Dir.glob(File.join(Puppet[:statedir], '*')))
    Puppet::Util::Storage.clear
    settings = kase['settings'] || {}
    saved = settings.to_h { |name, _| [name, Puppet[name.to_sym]] }
    settings.each { |name, value| Puppet[name.to_sym] = value }
    Puppet::Util::Log.level = kase['debug'] ? :debug : :info
    answer(kase)
  rescue StandardError => e
    { 'id' => kase['id'], 'error' => "#{e.class}: #{e.message}" }
  ensure
    saved&.each { |name, value| Puppet[name.to_sym] = value }
  end

  private

  def answer(kase)
    env = Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST)
    Puppet[:code] = kase['code'] || ''
    loader = Puppet::Environments::Static.new(env)
    Puppet.override(environments: loader, current_environment: env, rich_data: false) do
      data = kase['catalog'] || compile(env)
      data['version'] = 1
      { 'id' => kase['id'], 'catalog' => data, **transact(data, env) }
    end
  end

  def compile(env)
    node = Puppet::Node.new('node.example.com', facts: Puppet::Node::Facts.new('node.example.com', {}), environment: env)
    JSON.parse(JSON.generate(Puppet::Parser::Compiler.compile(node).filter(&:virtual?).to_data_hash))
  end

  def transact(data, env)
    catalog = Puppet::Resource::Catalog.from_data_hash(data)
    catalog.environment_instance = env
    ral = catalog.to_ral
    ral.host_config = true
    ral.finalize
    bad = ral.resources.reject { |r| HARMLESS.include?(r.class.name.to_s) }
    raise ArgumentError, "refused: #{bad.map(&:ref).join(', ')}" unless bad.empty?

    @messages.list.clear
    report = Puppet::Transaction::Report.new(nil, 'production')
    begin
      ral.apply(report: report)
    rescue Puppet::Error => e
      error = e.message
    end
    report.finalize_report
    described(report, error)
  end

  def described(report, error)
    resources = report.resource_statuses.to_h do |ref, s|
      events = s.events.map { |e| [e.name.to_s, e.property, e.status, e.message] }
      flags = FLAGS.select { |f| s.public_send(f) }.map(&:to_s)
      [ref, { 'flags' => flags, 'failed_deps' => (s.failed_dependencies || []).map(&:ref), 'events' => events }]
    end
    { 'status' => report.status.to_s, 'order' => Visits.refs, 'resources' => resources,
      'log' => @messages.list.dup, 'error' => error }
  end
end

runner = Runner.new
$stdin.each_line do |line|
  puts JSON.generate(runner.run(JSON.parse(line)))
  $stdout.flush
end
