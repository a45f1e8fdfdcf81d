module PuppetX
  module Own
    class Gives
      NAMES = %w[list of names].map { |name| "given_#{name}" }.freeze

      def self.give(type, names)
        names.each do |name|
          type.newparam(name)
        end
        type.ensurable
      end
    end
  end
end
