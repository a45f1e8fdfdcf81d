module PuppetX
  module Demo
    WORDS = %w[a b].freeze
  end
end
