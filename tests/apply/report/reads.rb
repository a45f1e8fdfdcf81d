# What Puppet reads of a report: lines of {"yaml"} or {"json"} in, `to_data_hash` of each out.
#
#     ruby reads.rb < texts.jsonl > reports.jsonl
require 'json'
require 'puppet'
require 'puppet/transaction/report'

CLASSES = [Puppet::Transaction::Report, Puppet::Resource::Status, Puppet::Transaction::Event,
           Puppet::Util::Log, Puppet::Util::Metric, Symbol, Time].freeze

def report_of(line)
  if line.key?('yaml')
    Puppet::Util::Yaml.safe_load(line['yaml'], CLASSES)
  else
    Puppet::Transaction::Report.from_data_hash(JSON.parse(line['json']))
  end
end

Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])
STDIN.each_line do |line|
  begin
    report = report_of(JSON.parse(line))
    puts JSON.generate('class' => report.class.name, 'data' => report.to_data_hash)
  rescue StandardError => e
    puts JSON.generate('error' => "#{e.class}: #{e.message}", 'where' => e.backtrace.first(3))
  end
end
