# frozen_string_literal: true

# The application of `catgraph verify`: the installed tool runs it as it runs its own, so that it has
# the tool's Ruby and libraries. Questions and answers are a length, a line end, and that many bytes.

require 'json'
require 'puppet/application'

class Puppet::Application::Catgraph_verify < Puppet::Application
  run_mode :server
  environment_mode :not_required

  def app_defaults
    super.merge(facts_terminus: 'memory')
  end

  # The number of a pipe follows the options, which nobody else should read.
  def parse_options; end

  def setup; end

  def configure_indirector_routes; end

  def main
    # What modules print must not end up between the messages.
    @input = $stdin.dup.binmode
    @output = $stdout.dup.binmode
    @output.sync = true
    $stdin.reopen(File::NULL)
    $stdout.reopen($stderr)
    require_relative '../../graph'
    require_relative '../../nodes'
    runner = CatgraphNodes::Runner.start
    answer('hello' => Puppet.version, 'product' => product)
    while (size = @input.gets)
      answer(runner.run(JSON.parse(@input.read(Integer(size)).force_encoding('UTF-8'), max_nesting: false)))
    end
    exit!(0)
  end

  private

  def product
    Puppet.respond_to?(:implementation) ? Puppet.implementation.to_s : 'puppet'
  end

  def answer(message)
    text = JSON.generate(message, max_nesting: 0)
    @output.write("#{text.bytesize}\n#{text}")
  end
end
