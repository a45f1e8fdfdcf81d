#!/usr/bin/env ruby
# frozen_string_literal: true

# What real Puppet does with a manifest or a ready-made catalog.
#
# JSON lines in (one case each), JSON lines out (one answer each, same order). Nothing is applied and
# no command is run: the manifest is compiled, the catalog becomes the relationship graph, and the
# graph is walked as a transaction would walk it.
#
# Case: `id`; one of `code` (text), `manifest` (path), `catalog` (parsed catalog JSON), `environment_dir`
# (folder with environment.conf, manifests, modules, hiera.yaml and data); `facts` (hash),
# `modulepath` (list), `node`, `timeout` (seconds), `report` (false: cycle members without Puppet's text,
# whose search is exponential), `dot` (true: the texts of Puppet's dot files), `settings` (hash),
# `rich_data` (false: values that are no data as texts),
# `parameters` and `classes` (of a classifier), `trusted` (null: what Puppet makes of the facts), `server_facts`,
# `time` (true: `seconds` of the compile).
# Answer: `id`, `ok`, `stage` (done, or where it stopped), `error`, `catalog`, `seconds`, `relationships`,
# `dropped`, `expanded`, `order`, `cycles`, `report`, `dot`. Edges are [source, target, callback,
# event, auto]; containers in the expanded graph are Admitted[Type[title]] and Completed[Type[title]].

require 'json'
require 'tmpdir'
require 'fileutils'
require 'timeout'

CASE_SECONDS = 60.0
REPORT_SECONDS = 3.0
CASES_PER_WORKER = 1000
WORKERS_KEPT = 3
STATE = Dir.mktmpdir('catgraph-oracle-')
OWNER = Process.pid
at_exit { FileUtils.rm_rf(STATE) if Process.pid == OWNER }

# ------------------------------------------------------------------ facter stub
# Stands where the facter gem would, so that no fact of this machine is ever read. Providers are chosen
# from these; the manifest sees the facts of its case only.
module Facter
  RELEASE = { 'full' => '12.0', 'major' => '12', 'minor' => '0' }.freeze
  MACHINE = {
    'kernel' => 'Linux', 'osfamily' => 'Debian', 'operatingsystem' => 'Debian',
    'operatingsystemrelease' => '12.0', 'operatingsystemmajrelease' => '12',
    'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => RELEASE,
              'distro' => { 'codename' => 'bookworm', 'id' => 'Debian', 'release' => RELEASE } },
    'service_provider' => 'systemd', 'path' => '/usr/sbin:/usr/bin:/sbin:/bin',
    'hostname' => 'node', 'domain' => 'example.com', 'fqdn' => 'node.example.com',
    'networking' => { 'hostname' => 'node', 'domain' => 'example.com', 'fqdn' => 'node.example.com' }
  }.freeze

  class << self
    attr_accessor :of_case

    def to_hash
      MACHINE.merge(of_case || {})
    end

    def value(name)
      key = name.to_s
      return MACHINE[key] if MACHINE.key?(key)

      key.split('.').reduce(to_hash) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Struct.new(:name, :value).new(name, found)
    end
    alias [] fact

    def version
      '4.3.0'
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
begin
  require 'puppet/node/server_facts'
rescue LoadError # Puppet before 8
  nil
end

# ------------------------------------------------------------------ no commands
# Stops accidents (a provider or template that starts a program); it is no sandbox.
module NoPuppetCommands
  %i[execute execpipe execfail].each do |name|
    define_method(name) { |*_args, **_opts, &_block| raise Puppet::ExecutionFailure, 'commands are disabled' }
  end
end
Puppet::Util::Execution.singleton_class.prepend(NoPuppetCommands)

module NoShell
  %i[` system spawn exec].each do |name|
    define_method(name) { |*_args, **_opts| raise 'commands are disabled' }
  end
end

module NoPopen
  define_method(:popen) { |*_args, **_opts| raise 'commands are disabled' }
end

def forbid_commands
  Object.prepend(NoShell)
  [Kernel, Process].each { |m| m.singleton_class.prepend(NoShell) }
  IO.singleton_class.prepend(NoPopen)
end

require_relative '../../analyzer/session/verify/ruby/graph'
CatgraphGraph.watch

Messages = Struct.new(:list)
Puppet::Util::Log.newdesttype :catgraph do
  match 'Messages'

  def initialize(holder)
    @holder = holder
  end

  def handle(msg)
    @holder.list << msg
  end
end

# --------------------------------------------------------------------- one case
class Runner
  def initialize
    @dir = Dir.mktmpdir('worker-', STATE)
    arguments = %w[conf code var log run public].flat_map do |name|
      ["--#{name}dir", File.join(@dir, name).tap { |path| FileUtils.mkdir_p(path) }]
    end
    Puppet.initialize_settings(arguments + ['--certname', 'node.example.com'], true, true, { facter: Facter })
    Puppet[:disable_i18n] = true
    Puppet[:storeconfigs] = false
    Puppet[:graphdir] = File.join(@dir, 'graphs').tap { |p| FileUtils.mkdir_p(p) }
    @messages = Messages.new([])
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(@messages)
    Puppet::Node.indirection.terminus_class = :plain
    %i[file exec user group service package notify stage component whit].each { |t| Puppet::Type.type(t) }
  end

  def run(kase)
    out = { 'id' => kase['id'], 'ok' => false, 'stage' => 'setup' }
    @messages.list.clear
    settings = (kase['settings'] || {}).merge(kase['dot'] ? { 'graph' => true } : {})
    saved = settings.to_h { |name, _| [name, Puppet[name.to_sym]] }
    settings.each { |name, value| Puppet[name.to_sym] = value }
    with_environment(kase) { |env| work(kase, env, out) }
    out
  rescue SystemExit, Interrupt
    raise
  rescue Exception => e # rubocop:disable Lint/RescueException
    out.merge('error' => clean("#{e.class}: #{e.message}"))
  ensure
    saved&.each { |name, value| Puppet[name.to_sym] = value }
    Puppet[:code] = ''
  end

  private

  def clean(text)
    text.to_s.gsub(/\e\[[0-9;]*m/, '').gsub(@dir, '<statedir>').scrub
  end

  def with_environment(kase, &block)
    return in_folder(kase['environment_dir'], &block) if kase['environment_dir']

    paths = Array(kase['modulepath']).map { |p| File.expand_path(p) }
    manifest = kase['manifest'] ? File.expand_path(kase['manifest']) : Puppet::Node::Environment::NO_MANIFEST
    raise ArgumentError, "no manifest #{manifest}" if kase['manifest'] && !File.exist?(manifest)

    env = Puppet::Node::Environment.create(:production, paths, manifest)
    Puppet[:code] = kase['code'] if kase['code']
    env.each_plugin_directory { |dir| $LOAD_PATH << dir unless $LOAD_PATH.include?(dir) }
    loader = Puppet::Environments::Static.new(env)
    # An agent gets rich data; the command line prints catalogs without.
    rich = kase.fetch('rich_data', true)
    Puppet.override(environments: loader, current_environment: env, rich_data: rich) { block.call(env) }
  end

  def in_folder(folder, &block)
    loader = Puppet::Environments::Directories.new(Pathname.new(File.dirname(folder)), [])
    env = Puppet.override(environments: loader) { loader.get(File.basename(folder)) }
    Puppet.override(environments: loader, current_environment: env, rich_data: true) { block.call(env) }
  end

  def work(kase, env, out)
    Facter.of_case = kase['facts'] || {}
    out['stage'] = 'compile'
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    data = kase['catalog'] || compile(kase, env)
    out['seconds'] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - start if kase['time']
    out['catalog'] = data unless kase['catalog']
    # Always through JSON: an agent has no more than that, and neither has the analyzer.
    catalog = Puppet::Resource::Catalog.from_data_hash(data)
    catalog.environment_instance = env
    out['stage'] = 'types'
    ral = catalog.to_ral
    ral.finalize
    CatgraphGraph.generate(ral)
    out['stage'] = 'graph'
    describe(ral.relationship_graph, kase, out)
    out['dot'] = dots if kase['dot']
    out['stage'] = 'done'
    out['ok'] = true
  end

  def compile(kase, env)
    catalog = Puppet::Parser::Compiler.compile(node_of(kase, env)).filter(&:virtual?)
    JSON.parse(JSON.generate(catalog.to_data_hash).gsub(@dir, '<statedir>'))
  end

  def node_of(kase, env)
    name = kase['node'] || 'node.example.com'
    own = { 'clientcert' => name, 'clientversion' => Puppet.version.to_s, 'clientnoop' => false }
    own = Puppet::Node::Facts.new(name, {}).tap(&:add_local_facts).values.slice('implementation').merge(own)
    facts = Puppet::Node::Facts.new(name, own.merge(kase['facts'] || {}))
    given = { parameters: kase['parameters'] || {}, classes: kase['classes'] || {} }
    node = Puppet::Node.new(name, facts: facts, environment: env, **given)
    node.merge(facts.values)
    host, domain = name.split('.', 2)
    local = { 'authenticated' => 'local', 'certname' => name, 'extensions' => {},
              'hostname' => host, 'domain' => domain, 'external' => {} }
    trusted = kase.fetch('trusted', local)
    node.trusted_data = trusted if trusted
    server = { 'serverversion' => Puppet.version, 'servername' => 'puppet.example.com' }
    known = defined?(Puppet::Node::ServerFacts) ? Puppet::Node::ServerFacts.load : {}
    server = known.slice('serverimplementation').merge(server)
    node.add_server_facts(kase['server_facts'] || server)
    node
  end

  def describe(graph, kase, out)
    CatgraphGraph.describe(graph, out)
    out['report'] = report(graph) unless out['cycles'].empty? || kase['report'] == false
  end

  # Puppet's search for the path it prints is exponential in the worst case.
  def report(graph)
    Timeout.timeout(REPORT_SECONDS) { graph.report_cycles_in_graph }
    clean(@messages.list.reverse.find { |m| m.level == :err }.message)
  rescue Timeout::Error
    nil
  end

  def dots
    Dir.glob(File.join(Puppet[:graphdir], '*.dot')).sort.to_h do |file|
      [File.basename(file), File.read(file).tap { File.delete(file) }]
    end
  end
end

# ---------------------------------------------------------------------- workers
# Ruby types loaded from a modulepath stay loaded in a process, so each modulepath has a process of its
# own; that also gives a hard time limit.
class Worker
  attr_reader :served

  def initialize(others)
    @served = 0
    from_parent, @to = IO.pipe
    @from, to_parent = IO.pipe
    [from_parent, @to, @from, to_parent].each { |io| io.set_encoding('UTF-8') }
    @pid = fork do
      [@to, @from].each(&:close)
      others.each(&:forget)
      serve(from_parent, to_parent)
    end
    [from_parent, to_parent].each(&:close)
  end

  def forget
    [@to, @from].each(&:close)
  end

  # The answer as a line of JSON; a symbol (:timeout, :crash) when there is none.
  def ask(line, seconds)
    @served += 1
    @to.puts(line)
    @to.flush
    return :timeout unless @from.wait_readable(seconds)

    @from.gets&.chomp || :crash
  rescue Errno::EPIPE
    :crash
  end

  def stop(signal = nil)
    @to.close
    Process.kill(signal, @pid) if signal
    Process.wait(@pid)
    @from.close
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  end

  private

  def serve(input, output)
    $stdin.reopen(File::NULL)
    [$stdout, $stderr].each { |io| io.reopen(File::NULL) }
    runner = Runner.new
    forbid_commands
    while (line = input.gets)
      output.puts(JSON.generate(runner.run(JSON.parse(line))))
      output.flush
    end
    exit!(0)
  end
end

class Dispatcher
  def initialize
    @workers = {}
  end

  def run(input, output)
    input.each_line do |line|
      next if line.strip.empty?

      output.puts(answer(line))
      output.flush
    end
    @workers.each_value(&:stop)
  end

  private

  def answer(line)
    kase = JSON.parse(line)
    key = kase.values_at('modulepath', 'environment_dir').inspect
    found = worker(key).ask(line, kase['timeout'] || CASE_SECONDS)
    return found if found.is_a?(String)

    @workers.delete(key).stop('KILL')
    JSON.generate('id' => kase['id'], 'ok' => false, 'stage' => found.to_s, 'error' => found.to_s)
  end

  def worker(key)
    @workers.delete(key).stop if @workers[key] && @workers[key].served >= CASES_PER_WORKER
    @workers.shift.last.stop if !@workers.key?(key) && @workers.length >= WORKERS_KEPT
    @workers[key] ||= Worker.new(@workers.values)
  end
end

Dispatcher.new.run($stdin, $stdout.dup)
