# frozen_string_literal: true

# Compiles nodes as a server does: a question (a hash) in, an answer (a hash) out.
#
# Question: `node`, `environment` (a name), `folder` (of the environment, or null), `modulepath`,
# `manifest` (a path, or null), `code` (text in place of a manifest), `facts`, `trusted`,
# `classes`, `parameters`, `server_facts`, `hiera_config`, `settings`, `graph` (false: the catalog is all).
# Answer: `stage` (done, or where it stopped: compile, types, graph), `error`, `file`, `line`, `catalog`,
# and what CatgraphGraph.describe adds.

require 'fileutils'

module CatgraphNodes
  # Stands where Facter would: no fact of this machine is read. Default providers are chosen from
  # these; the manifests see the facts of the question only.
  class Machine
    RELEASE = { 'full' => '12.0', 'major' => '12', 'minor' => '0' }.freeze
    FACTS = {
      'kernel' => 'Linux', 'osfamily' => 'Debian', 'operatingsystem' => 'Debian',
      'operatingsystemrelease' => '12.0', 'operatingsystemmajrelease' => '12',
      'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => RELEASE,
                'distro' => { 'codename' => 'bookworm', 'id' => 'Debian', 'release' => RELEASE } },
      'service_provider' => 'systemd', 'path' => '/usr/sbin:/usr/bin:/sbin:/bin'
    }.freeze
    Fact = Struct.new(:name, :value)

    def value(name)
      name.to_s.downcase.split('.').reduce(FACTS) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Fact.new(name, found)
    end
    alias [] fact

    def to_hash
      FACTS
    end
    alias to_h to_hash

    def version
      '4.3.0'
    end

    def method_missing(*) end

    def respond_to_missing?(*)
      true
    end
  end

  # The only environment: its folder has data and settings, its modules and manifest are given.
  class OneEnvironment
    attr_reader :environment

    def initialize(environment, folder)
      @environment = environment
      @folder = folder
    end

    def search_paths
      []
    end

    def list
      [@environment]
    end

    def get(name)
      @environment if name.to_sym == @environment.name
    end

    def get!(name)
      get(name) || raise(Puppet::Environments::EnvironmentNotFound, name)
    end

    def get_conf(name)
      return nil if get(name).nil?
      return Puppet::Settings::EnvironmentConf.static_for(@environment) if @folder.nil?

      Puppet::Settings::EnvironmentConf.load_from(@folder, [])
    end

    def clear(*) end
    alias clear_all clear
    alias guard clear
    alias unguard clear
  end

  Messages = Struct.new(:list)

  # Compiles one node after the other.
  class Runner
    def self.start
      Puppet.runtime[:facter] = Machine.new if Puppet.respond_to?(:runtime)
      Puppet[:disable_i18n] = true
      Puppet[:storeconfigs] = false
      Puppet::Node.indirection.terminus_class = :plain
      %i[file exec user group service package notify stage component whit].each { |t| Puppet::Type.type(t) }
      CatgraphGraph.watch
      Puppet::Util::Log.newdesttype(:catgraph) do
        match 'CatgraphNodes::Messages'
        define_method(:initialize) { |holder| @holder = holder }
        define_method(:handle) { |message| @holder.list << message }
      end
      new
    end

    def initialize
      @messages = Messages.new([])
      Puppet::Util::Log.close_all
      Puppet::Util::Log.newdestination(@messages)
    end

    def run(question)
      @messages.list.clear
      out = { 'stage' => 'compile' }
      wanted = question['settings'].merge(question.slice('hiera_config').compact)
      saved = wanted.to_h { |name, _| [name, Puppet[name.to_sym]] }
      wanted.each { |name, value| Puppet[name.to_sym] = value }
      within(question) { |environment| work(question, environment, out) }
      out
    rescue SystemExit, Interrupt
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException
      out.merge(refusal(e))
    ensure
      saved&.each { |name, value| Puppet[name.to_sym] = value }
      Puppet[:code] = ''
    end

    private

    def refusal(error)
      place = %w[file line].to_h { |name| [name, error.respond_to?(name) ? error.public_send(name) : nil] }
      place['file'] = place['file'].to_s.scrub if place['file']
      place.merge('error' => plain(logged(error) || "#{error.class}: #{error.message}"))
    end

    # A program with several errors is refused with their number; each was logged.
    def logged(error)
      return nil unless error.message.include?('Language validation logged')

      @messages.list.find { |message| message.level == :err }&.message
    end

    def plain(text)
      text.to_s.gsub(/\e\[[0-9;]*m/, '').scrub
    end

    def within(question, &block)
      manifest = question['manifest'] || Puppet::Node::Environment::NO_MANIFEST
      environment = Puppet::Node::Environment.create(question['environment'].to_sym, question['modulepath'], manifest)
      Puppet[:code] = question['code'] || ''
      environment.each_plugin_directory { |dir| $LOAD_PATH << dir unless $LOAD_PATH.include?(dir) }
      loader = OneEnvironment.new(environment, question['folder'])
      context = { environments: loader, current_environment: environment, rich_data: true }
      Puppet.override(context) { block.call(environment) }
    end

    def work(question, environment, out)
      catalog = Puppet::Parser::Compiler.compile(node_of(question, environment)).filter(&:virtual?)
      data = JSON.parse(JSON.generate(catalog.to_data_hash, max_nesting: 0), max_nesting: false)
      out['catalog'] = data
      relate(data, environment, out) if question['graph']
      out['stage'] = 'done'
    end

    # Always from the document: an agent has no more than that.
    def relate(data, environment, out)
      out['stage'] = 'types'
      catalog = Puppet::Resource::Catalog.from_data_hash(data)
      catalog.environment_instance = environment
      ral = catalog.to_ral
      ral.finalize
      CatgraphGraph.generate(ral)
      out['stage'] = 'graph'
      CatgraphGraph.describe(ral.relationship_graph, out)
    end

    def node_of(question, environment)
      name = question['node']
      own = { 'clientcert' => name, 'clientversion' => Puppet.version.to_s, 'clientnoop' => false }
      added = Puppet::Node::Facts.new(name, {}).tap(&:add_local_facts).values.slice('implementation')
      facts = Puppet::Node::Facts.new(name, added.merge(own, question['facts']))
      given = { parameters: question['parameters'], classes: question['classes'] }
      node = Puppet::Node.new(name, facts: facts, environment: environment, **given)
      node.merge(facts.values)
      node.trusted_data = question['trusted']
      node.add_server_facts(server_facts(question))
      node
    end

    def server_facts(question)
      require 'puppet/node/server_facts'
      Puppet::Node::ServerFacts.load.slice('serverimplementation').merge(question['server_facts'])
    rescue LoadError # Puppet before 8
      question['server_facts']
    end
  end
end
