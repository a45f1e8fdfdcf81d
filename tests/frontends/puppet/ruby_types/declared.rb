#!/usr/bin/env ruby
# frozen_string_literal: true

# What real Puppet knows of a type of resources once its file is loaded.
#
# JSON lines in (`id`, `type`, `modulepath`), JSON lines out: `parameters`, `properties`, `keys`, `titles`
# (each the regular expression and the attributes of its groups; null for a group that is computed),
# `isomorphic`, `refreshable`, or `error`; without a `type` only `lib`, the folder of Puppet's own files.
# One modulepath for a process: types stay loaded.

require 'json'
require 'tmpdir'
require 'fileutils'

STATE = Dir.mktmpdir('catgraph-types-')
at_exit { FileUtils.rm_rf(STATE) }
OUT = $stdout.dup
[$stdout, $stderr].each { |io| io.reopen(File::NULL) }

require 'puppet'
arguments = %w[conf code var log run public].flat_map { |name| ["--#{name}dir", File.join(STATE, name)] }
Puppet.initialize_settings(arguments + ['--certname', 'node.example.com'])
Puppet::Util::Log.close_all

LIB = File.dirname($LOADED_FEATURES.find { |file| file.end_with?('/puppet.rb') })

def computed?(block)
  block && block.call('Some/Text::x') != 'Some/Text::x'
end

def titles(type)
  type.title_patterns.map do |regexp, groups|
    [regexp.to_s, groups.map { |name, block| computed?(block) ? nil : name.to_s }]
  end
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

def described(type)
  {
    'parameters' => type.parameters.map(&:to_s).sort,
    'properties' => type.properties.map { |property| property.name.to_s }.sort,
    'keys' => type.key_attributes.map(&:to_s),
    'titles' => titles(type),
    'isomorphic' => type.isomorphic?,
    'refreshable' => type.method_defined?(:refresh)
  }
end

def answer(question)
  return { 'lib' => LIB } unless question['type']

  paths = question['modulepath'].map { |path| File.expand_path(path) }
  environment = Puppet::Node::Environment.create(:production, paths)
  environment.each_plugin_directory { |dir| $LOAD_PATH << dir unless $LOAD_PATH.include?(dir) }
  loader = Puppet::Environments::Static.new(environment)
  Puppet.override(environments: loader, current_environment: environment) do
    type = Puppet::Type.type(question['type'].to_sym)
    type ? described(type) : { 'error' => 'there is no such type' }
  end
rescue ScriptError, StandardError => e
  { 'error' => "#{e.class}: #{e.message}" }
end

$stdin.each_line do |line|
  question = JSON.parse(line)
  OUT.puts(JSON.generate({ 'id' => question['id'] }.merge(answer(question))))
  OUT.flush
end
