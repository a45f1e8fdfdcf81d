module PuppetX
  module Own
    module WithHook
      def self.included(base)
        base.class_eval do
          newparam(:name, namevar: true)
        end
        base.extend(ClassMethods)
        base.newparam(:hooked)
        base.from_class_methods
      end

      module ClassMethods
        def from_class_methods
          newproperty(:classy)
        end
      end

      def refresh
        debug('refreshed')
      end
    end
  end
end
