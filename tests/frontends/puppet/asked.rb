# frozen_string_literal: true

# Shared by the scripts that ask real Puppet: its settings, in a folder that is deleted at the end,
# and the loop over the questions.

require 'json'
require 'tmpdir'
require 'fileutils'
require 'timeout'
require 'puppet'
require 'puppet/util/log'

STATE = Dir.mktmpdir('catgraph-asked-')
OWNER = Process.pid
at_exit { FileUtils.rm_rf(STATE) if Process.pid == OWNER }

def initialize_puppet
  directories = %w[conf code var log run public].flat_map do |name|
    ["--#{name}dir", File.join(STATE, name).tap { |path| FileUtils.mkdir_p(path) }]
  end
  Puppet.initialize_settings(directories + ['--certname', 'node.example.com'], true, true)
  Puppet[:disable_i18n] = true
  Puppet::Util::Log.close_all
end

def answer_all(asked)
  [$stdin, $stdout].each { |stream| stream.set_encoding('UTF-8') }
  $stdout.sync = true
  $stdin.each_line { |line| $stdout.puts JSON.generate(asked.answer(JSON.parse(line))) }
end
