#!/usr/bin/env ruby
# frozen_string_literal: true

# What real Puppet compiles for several nodes that export resources to each other.
#
# JSON lines in (one program each), JSON lines out (one answer each, same order).
#
# Question: `id`; `code`; `nodes`, the names to compile for, one after the other, as often as they
# stand there; `facts` (hash).
# Answer: `id`, `compiled`: for each name {catalog} or {error}.
#
# Resources go through PuppetDB's own termini. The database behind them is a hash here: a catalog
# that is stored replaces its node's, and a query is answered by PuppetDB's rules (operators `and`,
# `or`, `not` and `=`; a parameter equals a value of the same JSON; tags know no case).

require 'json'
require 'tmpdir'
require 'fileutils'
require 'cgi'
require 'puppet'
require 'puppet/util/puppetdb/http'

STATE = Dir.mktmpdir('catgraph-nodes-')
OWNER = Process.pid
at_exit { FileUtils.rm_rf(STATE) if Process.pid == OWNER }

Reply = Struct.new(:body) do
  def success?
    true
  end

  def [](_header)
    nil
  end
end

# Stands where the server is: catalogs by node.
module Database
  module_function

  def clear
    @catalogs = {}
  end

  def post(payload)
    catalog = JSON.parse(payload)
    @catalogs[catalog['certname']] = catalog['resources'] if catalog.key?('resources')
    Reply.new('{"uuid": "0"}')
  end

  def get(query)
    found = @catalogs.sort.flat_map do |node, resources|
      resources.map { |row| row.merge('certname' => node) }
    end
    Reply.new(JSON.generate(found.select { |row| holds?(query, row) }))
  end

  def holds?(query, row)
    operator, *operands = query
    case operator
    when 'and' then operands.all? { |operand| holds?(operand, row) }
    when 'or' then operands.any? { |operand| holds?(operand, row) }
    when 'not' then !holds?(operands[0], row)
    when '=' then equal?(row, *operands)
    else raise "no operator #{operator}"
    end
  end

  def equal?(row, field, value)
    return row['tags'].include?(value.downcase) if field == 'tag'
    return row[field] == value unless field.is_a?(Array)

    row['parameters'].key?(field[1]) && JSON.generate(row['parameters'][field[1]]) == JSON.generate(value)
  end
end

# What the termini send goes to the hash above, never to a network.
module NoNetwork
  def action(path, _kind)
    query = path[/query=(.*)/m, 1]
    client = Object.new
    client.define_singleton_method(:get) { |*_a, **_o| Database.get(JSON.parse(CGI.unescape(query))) }
    client.define_singleton_method(:post) { |_path, payload, **_o| Database.post(payload) }
    yield client, URI('https://puppetdb:8081/'), nil
  end
end
Puppet::Util::Puppetdb::Http.singleton_class.prepend(NoNetwork)

# Answers one question after the other, in one process.
class Nodes
  def initialize
    directories = %w[conf code var log run public].flat_map do |name|
      ["--#{name}dir", File.join(STATE, name).tap { |path| FileUtils.mkdir_p(path) }]
    end
    Puppet.initialize_settings(directories + ['--certname', 'node.example.com'], true, true)
    Puppet[:disable_i18n] = true
    Puppet[:storeconfigs] = true
    Puppet[:storeconfigs_backend] = 'puppetdb'
    Puppet::Util::Log.close_all
    Puppet::Node.indirection.terminus_class = :plain
    Puppet::Resource.indirection.terminus_class = :store_configs
    @store = Puppet::Resource::Catalog.indirection.terminus(:puppetdb)
  end

  def run(question)
    Database.clear
    { 'id' => question['id'], 'compiled' => question['nodes'].map { |name| compiled(question, name) } }
  end

  private

  def compiled(question, name)
    environment = Puppet::Node::Environment.create(:production, [], Puppet::Node::Environment::NO_MANIFEST)
    Puppet[:code] = question['code']
    loader = Puppet::Environments::Static.new(environment)
    Puppet.override(environments: loader, current_environment: environment, rich_data: false) do
      catalog = Puppet::Parser::Compiler.compile(node(name, question['facts'], environment))
      save(catalog, name, environment)
      { 'catalog' => JSON.parse(JSON.generate(catalog.filter(&:virtual?).to_data_hash)) }
    end
  rescue StandardError => e
    { 'error' => "#{e.class}: #{e.message}" }
  end

  def save(catalog, name, environment)
    request = Puppet::Indirector::Request.new(:catalog, :save, name, catalog, environment: environment)
    @store.save(request)
  end

  def node(name, facts, environment)
    own = { 'clientcert' => name, 'clientversion' => Puppet.version.to_s, 'clientnoop' => false }
    values = Puppet::Node::Facts.new(name, own.merge(facts || {}))
    node = Puppet::Node.new(name, facts: values, environment: environment)
    node.merge(values.values)
    host, domain = name.split('.', 2)
    node.trusted_data = { 'authenticated' => 'local', 'certname' => name, 'extensions' => {},
                          'hostname' => host, 'domain' => domain, 'external' => {} }
    node
  end
end

output = $stdout.dup
$stdout.reopen(File::NULL)
nodes = Nodes.new
$stdin.each_line do |line|
  # Puppet writes the address of the object behind what it hides.
  output.puts(JSON.generate(nodes.run(JSON.parse(line))).gsub(/#<(Sensitive \[value redacted\]):\d+>/, '\1'))
  output.flush
end
