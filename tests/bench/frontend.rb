#!/usr/bin/env ruby
# frozen_string_literal: true

# What parsing files to Puppet's model costs in real Puppet: paths come on standard input.
# Prints one JSON object: CPU seconds of lexing and parsing, after a warm-up.

require 'json'
require 'puppet'
require 'puppet/pops'

Puppet.initialize_settings(%w[--confdir /nonexistent --vardir /nonexistent], true, true)
Puppet[:disable_i18n] = true
Puppet::Util::Log.close_all

def cpu
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
end

def parse(texts)
  parser = Puppet::Pops::Parser::Parser.new
  texts.each { |path, text| parser.parse_string(text, path) }
end

texts = $stdin.each_line(chomp: true).map { |path| [path, File.read(path, encoding: 'utf-8')] }
parse(texts.first(200))
GC.start
start = cpu
parse(texts)
puts JSON.generate(cpu: cpu - start, memory: 0, cycles: 0)
