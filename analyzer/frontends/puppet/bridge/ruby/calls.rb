# frozen_string_literal: true

module CatgraphBridge
  # No function can write there what would change the next compile.
  NOWHERE = '/dev/null/none'
  HERE = File.dirname(__FILE__)

  # Puppet's settings are its defaults: those of this machine are no part of a compile.
  def self.start_puppet
    folders = %w[conf code var log run public].flat_map { |name| ["--#{name}dir", File.join(NOWHERE, name)] }
    Puppet.settings.define_singleton_method(:create_ancestors) { |_settings| }
    Puppet.initialize_settings(folders, true, true)
    Puppet[:disable_i18n] = true
    Puppet::Util::Log.close_all
    Puppet::Util::Log.newdestination(Messages.new)
    Puppet::Util::Log.level = :warning
  end

  # What Puppet logs during a call.
  class Messages
    class << self
      def list
        @list ||= []
      end
    end
  end

  Puppet::Util::Log.newdesttype :catgraph_bridge do
    match 'CatgraphBridge::Messages'

    def initialize(_name); end

    def handle(message)
      Messages.list << message.message if Messages.list.size < 100
    end
  end

  # Does what is asked, and asks back.
  class Calls
    def initialize(channel)
      @channel = channel
      @wire = Wire.new
      @depth = 0
      @scopes = {}
      @scope_classes = {}
      @environments = {}
    end

    def serve
      loop { message(@channel.receive) }
    end

    # ---- questions

    def ask(what, *arguments)
      data = arguments.map { |one| @wire.encode(one) }
      @channel.send('ask' => what, 'with' => data, 'changed' => @wire.changes)
      loop do
        answer = @channel.receive
        if answer.key?('do')
          message(answer)
        elsif answer.key?('unwind')
          raise Unwind, answer['unwind']
        elsif answer.key?('error')
          error = CompileError.new(answer['error'], answer['message'])
          error.set_backtrace(caller.reject { |line| line.start_with?(HERE) })
          raise error
        else
          return @wire.decode(answer['value'])
        end
      end
    end

    # Variables are set once: an answer holds as long as the call.
    def variable(handle, name)
      key = [handle, name]
      @variables[key] || begin
        answer = ask('variable', handle, name)
        @variables[key] = answer if answer[0]
        answer
      end
    end

    def ask_function(handle, name, args, block)
      ask('function', handle, name, args, block && bound(block))
    end

    def elsewhere?(name)
      name = name.to_s.delete_prefix('::')
      return true if @elsewhere.include?(name)

      found = @compiler.loaders.private_environment_loader.load(:function, name)
      return found.is_a?(Puppet::Functions::PuppetFunction) if found

      !Puppet::Parser::Functions.function(name) && ask('knows', name)
    end

    def scope(handle)
      @scopes[handle] ||= @compiler.topscope.class.new(@compiler, self, handle)
    end

    def scope_class(environment)
      @scope_classes[environment] ||= Class.new(Scope) do
        include Puppet::Parser::Functions.environment_module(Puppet.lookup(:root_environment))
        include Puppet::Parser::Functions.environment_module(environment)
        prepend Scope::OnCatalog
      end
    end

    private

    def bound(block)
      @blocks << block
      { 'number' => @blocks.size - 1, 'arity' => block.arity, 'names' => block.parameters.map { |p| p[1].to_s } }
    end

    # ---- what is asked

    def message(message)
      if @depth.zero?
        @wire.forget
        @scopes = { 0 => @compiler.topscope } if @compiler
        @variables = {}
        @blocks = []
        Messages.list.clear
      end
      @depth += 1
      @channel.send(answer_of(message))
    ensure
      @depth -= 1
    end

    def answer_of(message)
      said(public_send("do_#{message['do']}", message)).merge(rest)
    rescue Unwind => e
      { 'unwind' => e.id }.merge(rest)
    rescue CompileError => e
      { 'error' => e.id, 'message' => e.message }.merge(rest)
    rescue Absent => e
      { 'absent' => "it uses #{e.message}" }
    rescue NoWord => e
      { 'absent' => "it makes #{e.message}" }
    rescue SystemExit, Interrupt, NoMemoryError, SignalException => e
      { 'absent' => "it ends with #{e.class}" }
    rescue Exception => e # rubocop:disable Lint/RescueException
      return { 'absent' => "it uses a folder of Puppet's settings" } if of_settings?(e)

      { 'failed' => text_of(e) }.merge(rest)
    end

    # The folders of the settings are on the server only.
    def of_settings?(error)
      error = error.cause until error.nil? || error.is_a?(SystemCallError)
      !error.nil? && error.message.include?('/dev/null')
    end

    # What comes of a call that has run to its end, also where the other side has no word for it.
    def said(value)
      { 'value' => @wire.encode(value) }
    rescue NoWord => e
      { 'wordless' => "it makes #{e.message}" }
    end

    def rest
      more = {}
      changed = @wire.changes
      more['changed'] = changed unless changed.empty?
      more['log'] = Messages.list.dup unless Messages.list.empty?
      more
    end

    def text_of(error)
      text = error.message.dup
      text = text.force_encoding(Encoding::UTF_8) if text.encoding == Encoding::BINARY
      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    public

    # A compile begins: for a node, in an environment.
    def do_begin(message)
      @elsewhere = message['elsewhere'].to_h { |name| [name, true] }
      Puppet[:strict] = message['strict'].to_sym
      Puppet[:strict_variables] = message['strict_variables']
      environment = environment_of(message['environment'], message['modulepath'])
      node = Puppet::Node.new(message['node'], environment: environment)
      Puppet.pop_context if @compiler
      Puppet.push_context(environments: Puppet::Environments::Static.new(environment), current_environment: environment)
      @compiler = Compiler.new(node, self)
      Puppet.pop_context
      Puppet.push_context(
        @compiler.context.merge(environments: Puppet::Environments::Static.new(environment))
      )
      @contexts = {}
      @wire = Wire.new
      @wire.loader = @compiler.loaders.private_environment_loader
      nil
    end

    # A function of the 3.x API by its name: `template`, `inline_template`, `generate`.
    def do_builtin(message)
      scope = scope(message['scope'])
      scope.prepared = message['variables']&.transform_values { |one| @wire.decode(one) }
      message['looks_up']&.each do |name, one|
        @variables[[scope.handle, name]] = [true, @wire.decode(one)]
      end
      name = message['name']
      Puppet::Parser::Functions.function(name)
      args = message['arguments'].map { |one| @wire.decode(one) }
      stacked(message, scope, "real_function_#{name}", [args])
    ensure
      scope(message['scope']).prepared = nil
    end

    # A function of a module, or one that Puppet has in the 3.x API only.
    def do_function(message)
      scope = scope(message['scope'])
      args = message['arguments'].map { |one| @wire.decode(one) }
      block = message['block'] && lambda_of(message['block'])
      found = function_named(message['name'])
      return stacked(message, found, :call, [scope, *args], &block) if found

      old = Puppet::Parser::Functions.function(message['name'])
      raise ArgumentError, "Unknown function: '#{message['name']}'" unless old

      args = Puppet::Pops::Evaluator::Runtime3FunctionArgumentConverter.map_args(args, scope, '')
      stacked(message, scope, old, [args], &block)
    end

    # A function of a level of Hiera: its value in an array, an empty one if it finds nothing.
    def do_data(message)
      args = message['arguments'].map { |one| @wire.decode(one) }
      found = function_named(message['name'])
      raise ArgumentError, "Unknown function: '#{message['name']}'" unless found

      scope = scope(message['scope'])
      context = @contexts[message['context']] ||= Puppet::Pops::Lookup::FunctionContext.new(
        Puppet::Pops::Lookup::EnvironmentContext.adapt(@compiler.environment), message['module'], found
      )
      invocation = Puppet::Pops::Lookup::Invocation.new(scope)
      seen = Puppet::Pops::Lookup::Context.new(context, invocation)
      catch(:no_such_key) { return [found.call(scope, *args, seen)] }
      []
    end

    # Automatic relationships that types make of resources, and whether these generate others; a
    # text says why they are not known.
    def do_relations(message)
      rows = @wire.decode(message['arguments'].first)
      catalog = Puppet::Resource::Catalog.new('node', @compiler.environment)
      made = rows.map { |row| in_ral(catalog, *row) }
      refuse_catalog(made) if message['partial']
      message['asked'].map { |number| made[number].is_a?(String) ? made[number] : relations_of(made[number]) }
    end

    # A block of Ruby that was given to a function of the compile.
    def do_yield(message)
      args = message['arguments'].map { |one| @wire.decode(one) }
      @blocks.fetch(message['number']).call(*args)
    end

    private

    RELATIONS = %w[require subscribe before notify].freeze

    def in_ral(catalog, type, title, parameters)
      made = Puppet::Resource.new(type, title, parameters: parameters.transform_keys(&:to_sym)).to_ral
      catalog.add_resource(made)
      made
    rescue StandardError, LoadError => e
      text_of(e)
    end

    # Some parameters are not known: what is looked for among all resources is not known either.
    def refuse_catalog(resources)
      resources.grep(Puppet::Type).each do |one|
        one.define_singleton_method(:catalog) { raise NotImplementedError, 'parameters are not known' }
      end
    end

    def relations_of(resource)
      found = RELATIONS.flat_map do |kind|
        named = []
        resource.class.public_send("eachauto#{kind}") do |type, block|
          named << ["auto#{kind}", type.to_s, titles_in(resource.instance_eval(&block))]
        end
        named
      end
      [found, %i[generate eval_generate].any? { |name| resource.respond_to?(name) }]
    rescue StandardError, NotImplementedError, LoadError => e
      text_of(e)
    end

    # Titles, and references to what is given as an object.
    def titles_in(found)
      (found ? [found].flatten(1) : []).compact.map { |one| one.is_a?(Puppet::Type) ? [one.type.to_s, one.title] : one.to_s }
    end

    def function_named(name)
      @compiler.loaders.private_environment_loader.load(:function, name)
    end

    def stacked(message, receiver, name, args, &block)
      file, line = message['place']
      Puppet::Pops::PuppetStack.stack(file, line, receiver, name, args, &block)
    end

    def lambda_of(data)
      type = Puppet::Pops::Types::TypeParser.singleton.parse(data['type'], @wire.loader)
      Closure.new(self, data['number'], type, data['parameters']).to_proc
    end

    def environment_of(name, modulepath)
      @environments[[name, modulepath]] ||= begin
        made = Puppet::Node::Environment.create(
          name.to_sym, modulepath, Puppet::Node::Environment::NO_MANIFEST
        )
        made.modules.each do |one|
          lib = File.join(one.path, 'lib')
          $LOAD_PATH << lib if File.directory?(lib) && !$LOAD_PATH.include?(lib)
        end
        made
      end
    end
  end
end
