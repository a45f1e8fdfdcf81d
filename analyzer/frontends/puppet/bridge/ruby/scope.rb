# frozen_string_literal: true

module CatgraphBridge
  # Ends everything up to the call that began it: the other side knows why.
  class Unwind < Exception # rubocop:disable Lint/InheritException
    attr_reader :id

    def initialize(id)
      @id = id
      super('left')
    end
  end

  # An error of the compile, on its way through Ruby code, which may rescue it.
  class CompileError < Puppet::PreformattedError
    attr_reader :id

    def initialize(id, message)
      @id = id
      super(message)
    end
  end

  # Something of the compiler that is not here.
  class Absent < Exception # rubocop:disable Lint/InheritException
  end

  def self.absent(owner, names)
    names.each do |name|
      owner.define_method(name) { |*_args, **_named| raise Absent, "#{owner.superclass.name}##{name}" }
    end
  end

  # Variables, functions and resources are those of the compile: every question goes there.
  class Scope < Puppet::Parser::Scope
    attr_reader :handle
    # The variables that the template to come is known to use.
    attr_writer :prepared

    def initialize(compiler, bridge, handle)
      @bridge = bridge
      @handle = handle
      @prepared = nil
      super(compiler)
    end

    def lookupvar(name, options = EMPTY_HASH)
      return super unless name.is_a?(String)

      found, value = @bridge.variable(@handle, name)
      return value if found

      bare = name.delete_prefix('::')
      return variable_not_found(name) unless name.include?('::')

      handle_not_found(bare.rpartition('::')[0], bare.rpartition('::')[2], options, value)
    end

    def to_hash(recursive = true, include_undef = false)
      return @prepared.tap { @prepared = nil } if @prepared

      @bridge.ask('variables', @handle, recursive, include_undef)
    end

    def exist?(name)
      BUILT_IN_VARS.include?(name.delete_prefix('::')) || @bridge.variable(@handle, name)[0]
    end

    def bound?(name)
      @bridge.ask('bound', @handle, name)
    end

    def setvar(name, value, _options = EMPTY_HASH)
      raise Puppet::ParseError, "Cannot reassign variable '$#{name}'" if bound?(name)

      @bridge.ask('set', @handle, name, value)
      value
    end

    def resource
      kind, title = about['resource']
      kind && compiler.catalog.resource(kind, title)
    end

    Source = Struct.new(:type, :name, :module_name, :file, :line)

    def source
      about['source'] && Source.new(about['source'][0].to_sym, *about['source'][1..])
    end

    def parent
      about['parent'] && @bridge.scope(about['parent'])
    end

    def class_scope(klass)
      handle = @bridge.ask('class_scope', klass.respond_to?(:name) ? klass.name : klass)
      handle && @bridge.scope(handle)
    end

    def lookupdefaults(type)
      @bridge.ask('defaults', @handle, type).to_h do |name, value|
        [name.to_sym, Puppet::Parser::Resource::Param.new(name: name.to_sym, value: value)]
      end
    end

    def find_global_scope
      compiler.topscope
    end

    def to_s
      kind, title = about['resource']
      kind ? "Scope(#{kind}[#{title}])" : 'Scope()'
    end
    alias inspect to_s

    def elsewhere?(name)
      @bridge.elsewhere?(name)
    end

    def call_function(name, args, &block)
      @bridge.elsewhere?(name) ? @bridge.ask_function(@handle, name, args, block) : super
    end

    # Those of the 3.x API that work on the catalog, before what Puppet and modules define.
    module OnCatalog
      %w[
        create_resources realize tag tagged ensure_packages ensure_resource ensure_resources
        defined_with_params getparam private
      ].each do |name|
        define_method("function_#{name}") do |args, &block|
          elsewhere?(name) ? @bridge.ask_function(@handle, name, args, block) : super(args, &block)
        end
      end
    end

    CatgraphBridge.absent(self, %i[newscope define_settings ephemeral_from new_ephemeral class_set])

    private

    def about
      @about ||= @bridge.ask('scope', @handle)
    end

    # The class that the environment's scopes are of has them.
    def extend_with_functions_module; end
  end

  # What is declared so far.
  class Catalog < Puppet::Resource::Catalog
    attr_writer :bridge

    def classes
      @bridge ? @bridge.ask('classes') : super
    end

    def tags
      @bridge ? Puppet::Util::TagSet.new(@bridge.ask('tags')) : super
    end

    def resource(type, title = nil)
      return super unless @bridge

      ref = Puppet::Resource.new(type, title)
      found = @bridge.ask('resource', ref.type, ref.title)
      found && built(*found)
    end

    def resources
      @bridge ? @bridge.ask('resources').map { |row| built(*row) } : super
    end

    def resource_keys
      resources.map { |one| [one.type, one.title] }
    end

    def resource_refs
      resources.map(&:ref)
    end

    CatgraphBridge.absent(self, %i[add_class add_resource_before add_resource_after remove_resource])

    private

    def built(type, title, parameters, file, line)
      Puppet::Resource.new(type, title).tap do |one|
        parameters.each { |name, value| one[name.to_sym] = value }
        one.file = file
        one.line = line
      end
    end
  end

  # Stands where code looks for the compiler; what it would change there is refused.
  class Compiler < Puppet::Parser::Compiler
    def initialize(node, bridge)
      super(node)
      @catalog = Catalog.new(node.name, node.environment)
      @catalog.bridge = bridge
      @topscope = bridge.scope_class(node.environment).new(self, bridge, 0)
    end

    attr_reader :topscope

    def context
      { current_environment: environment, global_scope: @topscope, loaders: loaders }
    end

    def findresource(*args)
      @catalog.resource(*args)
    end

    def evaluate_classes(classes, scope, _lazy = true)
      names = classes.is_a?(Hash) ? classes.keys : classes
      scope.call_function('include', names)
    end

    CatgraphBridge.absent(
      self, %i[add_resource add_collection add_override add_relationship compile add_class newscope]
    )
  end

  # A lambda of the manifest, as the functions of the 4.x API know their blocks.
  class Closure < Puppet::Pops::Evaluator::CallableSignature
    Parameter = Struct.new(:name, :value, :captures_rest)

    attr_reader :type, :parameters

    def initialize(bridge, number, type, parameters)
      @bridge = bridge
      @number = number
      @type = type
      @parameters = parameters.map { |row| Parameter.new(*row) }
    end

    def call(*args)
      @bridge.ask('yield', @number, args)
    end

    def parameter_names
      @parameters.map(&:name)
    end

    def to_proc
      closure = self
      Puppet::Pops::Evaluator::PuppetProc.new(closure) { |*args| closure.call(*args) }
    end
  end

  # Calls of functions from functions: those that work on the catalog are the compile's.
  module FunctionCalls
    def internal_call_function(scope, name, args, &block)
      return super unless scope.is_a?(Scope) && scope.elsewhere?(name)

      scope.call_function(name, args, &block)
    end
  end
  Puppet::Pops::Functions::Function.prepend(FunctionCalls)
end
