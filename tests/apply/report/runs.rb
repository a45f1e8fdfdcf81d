# Applies manifests with the Puppet that is on the load path, and prints the report of each run.
#
#     ruby [-I LIB] runs.rb STATE < runs.jsonl > reports.jsonl
#
# A run is {"code", "noop", "skip_tags", "touch": {path: content}}: `touch` is written before it. All runs
# share one state folder, so that a later one may be corrective. A line of output has the report
# as YAML, as JSON, as PuppetDB's command has it, the summary, and the catalog.
require 'json'
require 'fileutils'

# Stands where the facter gem would, so that no fact of this machine is read.
module Facter
  FACTS = { 'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12' } },
            'osfamily' => 'Debian', 'operatingsystem' => 'Debian', 'operatingsystemmajrelease' => '12',
            'kernel' => 'Linux', 'id' => 'root', 'path' => ENV.fetch('PATH') }.freeze

  def self.value(name)
    FACTS[name.to_s]
  end

  def self.to_hash
    FACTS
  end

  def self.version
    '4.3.0'
  end

  def self.method_missing(*) end

  def self.respond_to_missing?(*)
    true
  end
end
$LOADED_FEATURES << 'facter.rb'

require 'puppet'
require 'puppet/configurer'
require 'puppet/reports'

state = File.expand_path(ARGV.fetch(0))
FileUtils.mkdir_p(state)
PUBLIC = Puppet.version.to_i < 7 ? [] : ['--publicdir', "#{state}/public"]
Puppet.initialize_settings(['--confdir', "#{state}/conf", '--vardir', "#{state}/var", '--logdir',
                            "#{state}/log", '--rundir', "#{state}/run"] + PUBLIC)
Puppet.settings.preferred_run_mode = :agent
Puppet[:certname] = Puppet[:node_name_value] = 'web1.example.com'
Puppet[:reports] = 'none'
Puppet.settings.use(:main, :agent)

def catalog_of(code)
  Puppet[:code] = code
  environment = Puppet::Node::Environment.create(:production, [])
  node = Puppet::Node.new('web1.example.com', environment: environment)
  node.merge('clientcert' => 'web1.example.com')
  Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
    Puppet::Parser::Compiler.compile(node)
  end
end

def wire(report)
  require 'puppet/util/puppetdb'
  processor = report.clone.extend(Puppet::Reports.report(:puppetdb))
  config = Struct.new(:include_unchanged_resources?).new(true)
  processor.define_singleton_method(:config) { config }
  processor.define_singleton_method(:profile) { |*_, &block| block.call }
  processor.report_to_hash(report.time + 1)
rescue LoadError
  nil
end

def applied(run, catalog)
  (run['touch'] || {}).each { |path, content| File.write(path, content) }
  Puppet[:noop] = run['noop'] || false
  Puppet[:skip_tags] = run['skip_tags'] || ''
  report = Puppet::Transaction::Report.new(catalog.version, 'production', '4f0a9bbf-6f39-4f5b-a1f9-5cfe2e6e8f10')
  Puppet::Util::Log.with_destination(report) do
    ral = catalog.to_ral
    ral.host_config = true
    report.add_times(:config_retrieval, 0.25)
    ral.finalize
    ral.apply(report: report)
  end
  report.finalize_report
  report
end

Puppet::Util::Log.level = :notice
STDIN.each_line do |line|
  run = JSON.parse(line)
  catalog = catalog_of(run['code'])
  report = applied(run, catalog)
  report.initial_environment = report.environment if report.respond_to?(:initial_environment=)
  report.cached_catalog_status = 'not_used'
  puts JSON.generate('yaml' => YAML.dump(report), 'json' => report.to_data_hash, 'wire' => wire(report),
                     'summary' => YAML.dump(report.raw_summary), 'catalog' => catalog.to_data_hash)
  STDOUT.flush
end
