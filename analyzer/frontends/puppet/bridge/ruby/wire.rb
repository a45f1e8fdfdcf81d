# frozen_string_literal: true

require 'base64'
require 'bigdecimal'
require 'set'

module CatgraphBridge
  TAG = '!'

  # A value that the other side has no word for.
  class NoWord < StandardError
    def initialize(value)
      super("a value of the Ruby class #{value.class}")
    end
  end

  # Stands for a value that is not known, which ends what uses it.
  class Withheld < BasicObject
    attr_reader :hash

    def initialize(id)
      @id = id
      @hash = id
    end

    def method_missing(*)
      ::Kernel.raise Unwind, @id
    end
    alias ! method_missing
    alias == method_missing
    alias != method_missing

    def eql?(other)
      equal?(other)
    end

    def respond_to_missing?(*)
      true
    end
  end

  # Values to and from JSON. What JSON cannot say is a hash of one entry: the tag, and an array of
  # a letter and what it needs.
  #
  # Arrays and hashes have numbers, counted alike on both sides, so that one that comes back is the
  # one that was sent, and so that what Ruby code changes in them can be told.
  class Wire
    Watched = Struct.new(:value, :first, :last, :hash)

    attr_accessor :loader

    def initialize
      @constants = {}
      forget
    end

    # Begins anew, with no numbers given.
    def forget
      @objects = []
      @numbers = {}.compare_by_identity
      @watched = []
    end

    def decode(data)
      case data
      when Array, Hash
        first = @objects.size
        value = container(data)
        last = @objects.size
        @watched << Watched.new(value, first, last, value.hash) if last > first
        value
      else
        data
      end
    end

    def encode(value)
      case value
      when String then text(value)
      when Integer, true, false, nil then value
      when Float then value.finite? ? value : { TAG => ['f', value.to_s] }
      when Array, Hash
        number = @numbers[value]
        number ? { TAG => ['r', number] } : contents(value)
      else
        special(value)
      end
    end

    # What has been changed since it was sent: numbers, and what is in them now.
    def changes
      changed = []
      @watched.each do |each|
        hash = each.value.hash
        next if hash == each.hash

        each.hash = hash
        (each.first...each.last).each { |i| changed << [i, contents(@objects[i])] }
      end
      changed
    end

    private

    def number(object)
      @numbers[object] = @objects.size
      @objects << object
      object
    end

    def container(data)
      case data
      when Array
        list = number([])
        data.each { |one| list << container(one) }
        list
      when Hash
        data.key?(TAG) ? tagged(*data[TAG]) : entries(data)
      else
        data
      end
    end

    def entries(pairs)
      hash = number({})
      pairs.each { |key, one| hash[container(key)] = container(one) }
      hash
    end

    TAGS = {
      's' => ->(name) { name.to_sym },
      'f' => ->(word) { word == 'NaN' ? Float::NAN : (word.start_with?('-') ? -1 : 1) * Float::INFINITY },
      'x' => ->(text) { Base64.decode64(text).force_encoding(Encoding::UTF_8) },
      'Regexp' => ->(source) { Regexp.new(source) },
      'Binary' => ->(text) { Puppet::Pops::Types::PBinaryType::Binary.from_base64_strict(text) },
      'Timestamp' => ->(nanos) { Puppet::Pops::Time::Timestamp.new(nanos) },
      'Timespan' => ->(nanos) { Puppet::Pops::Time::Timespan.new(nanos) },
      'SemVer' => ->(text) { SemanticPuppet::Version.parse(text) },
      'SemVerRange' => ->(text) { SemanticPuppet::VersionRange.parse(text) },
      'URI' => ->(text) { URI.parse(text) },
      'unknown' => ->(id) { Withheld.new(id) }
    }.freeze

    def tagged(kind, *rest)
      plain = TAGS[kind]
      return plain.call(*rest) if plain

      case kind
      when 'h' then entries(rest[0])
      when 'r' then @objects.fetch(rest[0])
      when 'c' then constant(*rest)
      when 'sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(container(rest[0]))
      when 'type' then Puppet::Pops::Types::TypeParser.singleton.parse(rest[0], loader)
      when 'iterator' then Puppet::Pops::Types::Iterable.on(container(rest[0]))
      when 'deferred' then deferred(rest[0], container(rest[1]))
      else raise ArgumentError, "unknown tag #{kind}"
      end
    end

    # Facts and the like are sent once: nobody can change them.
    def constant(name, data = nil)
      @constants[name] = frozen(data) unless data.nil?
      @constants.fetch(name)
    end

    def frozen(data)
      case data
      when Array then data.map { |one| frozen(one) }.freeze
      when Hash
        return container(data) if data.key?(TAG) && data[TAG][0] != 'h'

        pairs = data.key?(TAG) ? data[TAG][1] : data
        pairs.to_h { |key, one| [frozen(key), frozen(one)] }.freeze
      else data.freeze
      end
    end

    def deferred(name, arguments)
      Puppet::Pops::Types::TypeFactory.deferred.create(name, arguments)
    end

    def contents(value)
      return value.map { |one| encode(one) } if value.is_a?(Array)

      if value.each_key.all? { |key| key.instance_of?(String) && key != TAG && plain?(key) }
        value.transform_values { |one| encode(one) }
      else
        { TAG => ['h', value.map { |key, one| [encode(key), encode(one)] }] }
      end
    end

    def plain?(text)
      text.encoding == Encoding::UTF_8 ? text.valid_encoding? : text.ascii_only?
    end

    def text(value)
      return value if plain?(value)

      if value.encoding != Encoding::BINARY && value.valid_encoding?
        begin
          return value.encode(Encoding::UTF_8)
        rescue EncodingError
          nil
        end
      end
      bytes = value.dup.force_encoding(Encoding::UTF_8)
      bytes.valid_encoding? ? bytes : { TAG => ['x', Base64.strict_encode64(value.b)] }
    end

    SPECIAL = {
      Symbol => ->(value) { ['s', value.to_s] },
      Regexp => ->(value) { ['Regexp', value.options.zero? ? value.source : value.to_s] },
      'Puppet::Pops::Types::PBinaryType::Binary' => ->(value) { ['Binary', value.to_s] },
      'Puppet::Pops::Time::Timestamp' => ->(value) { ['Timestamp', value.nsecs] },
      'Puppet::Pops::Time::Timespan' => ->(value) { ['Timespan', value.nsecs] },
      'SemanticPuppet::Version' => ->(value) { ['SemVer', value.to_s] },
      'SemanticPuppet::VersionRange' => ->(value) { ['SemVerRange', value.to_s] },
      'URI::Generic' => ->(value) { ['URI', value.to_s] },
      'Puppet::Pops::Types::PTypeAliasType' => ->(value) { ['type', value.name] },
      'Puppet::Pops::Types::PAnyType' => ->(value) { ['type', value.to_s] },
      'Puppet::Resource' => ->(value) { ['resource', value.type.to_s, value.title.to_s] }
    }.freeze

    def special(value)
      case value
      when Puppet::Pops::Types::PSensitiveType::Sensitive
        return { TAG => ['sensitive', encode(value.unwrap)] }
      when BigDecimal then return value.to_f
      when Scope then return { TAG => ['scope', value.handle] }
      when Puppet::Pops::Types::Iterable then return encode(value.to_a)
      end
      return { TAG => ['deferred', value.name, encode(value.arguments)] } if deferred?(value)

      value.class.ancestors.each do |ancestor|
        rule = SPECIAL[ancestor] || SPECIAL[ancestor.name]
        return { TAG => rule.call(value) } if rule
      end
      raise NoWord, value
    end

    def deferred?(value)
      value.is_a?(Puppet::Pops::Types::PuppetObject) && value._pcore_type.name == 'Deferred'
    end
  end
end
