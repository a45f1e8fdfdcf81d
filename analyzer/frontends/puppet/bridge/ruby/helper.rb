# frozen_string_literal: true

# The process behind `--ruby`: evaluates templates and functions for a compile that runs in Python.
#
# It is given the number of a pipe that nobody writes to: when that ends, so has the process that
# asked for this one, and this one goes with all it has started, busy or not.

require 'json'

lifeline = IO.for_fd(Integer(ARGV.fetch(0)), 'r')
lifeline.close_on_exec = true
Thread.new do
  begin
    lifeline.read
  rescue IOError, SystemCallError
    nil
  end
  Process.kill(:KILL, -Process.getpgrp)
end

# What templates print must not end up between the messages.
input = $stdin.dup.binmode
output = $stdout.dup.binmode
$stdin.reopen(File::NULL)
$stdout.reopen($stderr)
Encoding.default_external = Encoding::UTF_8

require_relative 'channel'
channel = CatgraphBridge::Channel.new(input, output)
begin
  require 'puppet'
rescue LoadError => e
  channel.send('missing' => e.message)
  exit!(1)
end

require_relative 'wire'
require_relative 'scope'
require_relative 'calls'

CatgraphBridge.start_puppet
channel.send('hello' => Puppet.version)
CatgraphBridge::Calls.new(channel).serve
