module Puppet
  Type.newtype(:own_methods) do
    class << self
      def quick(name, *rest, prefix: nil, **options, &block)
        newparam(prefix ? "#{prefix}_#{name}" : name, options, &block)
        rest.each { |one| newproperty(one) }
      end
    end

    def self.newcheck(name, options = {}, &block)
      @checks ||= {}
      check = newparam(name, options, &block)
      @checks[name] = check
    end

    def self.nothing
      return unless defaults.empty?
      newparam(:never)
    end

    def self.defaults
      return [1] if true
      []
    end

    newcheck(:creates)
    newcheck(:path) { isnamevar }
    quick :alone
    quick(:several, :more, :most, prefix: 'with')
    quick :last_one, boolean: true do
      newvalues(:true, :false)
    end
    nothing
    send(:newparam, :sent)
    public_send :newproperty, 'sent_too'
    class_eval do
      newparam(:evaluated)
    end
    instance_eval { ensurable }
    begin
      newparam(:begun)
    rescue StandardError
      nil
    ensure
      newparam(:ensured)
    end
  end
end
